-- The statements for large tables before an upgrade (docs/upgrading.md). A comment names the schema versions that need the
-- statements below it. Run them in the schema of the installation, as the owner of the tables.
-- below 19
create index concurrently if not exists audit_at on audit (at, id);
create index concurrently if not exists audit_position on audit (position);
create index concurrently if not exists audit_partner_time on audit (partner_id, at, id) include (action, actor);
create index concurrently if not exists audit_actor_time on audit (actor, at, id) include (action, partner_id);
create index concurrently if not exists audit_action_time on audit (action, at, id) include (actor, partner_id);
create index concurrently if not exists proposal_agent on proposal using hash ((facts #>> '{origin,agent,cpf}'));
create index concurrently if not exists proposal_seller on proposal using hash ((facts #>> '{origin,partner,document_number}'));
-- below 18
create index concurrently if not exists audit_partner_at on audit (partner_id, at, id);
create index concurrently if not exists audit_actor on audit (actor, at, id);
create index concurrently if not exists audit_action on audit (action, at, id);
-- exactly 18
create index concurrently if not exists app_user_person on app_user using hash (cpf) where erased_at is null;
create index concurrently if not exists partner_person on partner using hash (document_number) where erased_at is null;
create index concurrently if not exists partner_person_pix on partner using hash ((pix ->> 'key')) where erased_at is null;
-- below 21
alter table proposal add column if not exists watched_until timestamptz(3);
create index concurrently if not exists proposal_watched on proposal (watched_until, id) where status = 'PAID';
-- below 22
alter table job
  add column if not exists root_id uuid not null default '00000000-0000-0000-0000-000000000000',
  add column if not exists partner_id uuid not null default '00000000-0000-0000-0000-000000000000';
create index concurrently if not exists job_partner on job (kind, root_id, partner_id, run_at);
create index concurrently if not exists job_running on job (kind, root_id, partner_id) where owner is not null;
-- below 28
alter table application
  add column if not exists place text collate "C",
  add column if not exists place_from timestamptz(3) not null default '-infinity',
  add column if not exists place_until timestamptz(3) not null default 'infinity',
  add column if not exists course json,
  add column if not exists placed_version integer;
alter table proposal
  add column if not exists created_by text collate "C",
  add column if not exists lender text collate "C",
  add column if not exists table_code text collate "C",
  add column if not exists paid_at timestamptz(3);
create index concurrently if not exists application_creator on application (created_by);
create index concurrently if not exists application_unplaced on application (id) where placed_version is distinct from version;
create index concurrently if not exists application_place_until on application (place_until, root_id) where place_until < 'infinity';
create index concurrently if not exists application_place_from on application (place_from, root_id) where place_from > '-infinity';
create index concurrently if not exists application_place_region on application (region_id, place, created_at, id) include (place_from, place_until);
create index concurrently if not exists application_place_partner on application (partner_id, place, created_at, id) include (place_from, place_until);
create index concurrently if not exists application_place_created on application (root_id, place, created_at, id) include (place_from, place_until);
create index concurrently if not exists application_place_updated on application (root_id, place, updated_at, id) include (place_from, place_until);
create index concurrently if not exists proposal_creator on proposal (created_by);
create index concurrently if not exists proposal_paid on proposal (root_id, paid_at, id) include (partner_id, region_id);
create index concurrently if not exists proposal_paid_last on proposal (root_id, paid_at desc nulls last, id desc) include (partner_id, region_id);
create index concurrently if not exists proposal_table on proposal (root_id, table_code, id) include (partner_id, region_id);
create index concurrently if not exists proposal_lender on proposal (root_id, lender, id) include (partner_id, region_id);
-- below 30
create index concurrently if not exists proposal_open on proposal (status, (facts #>> '{status_history,-1,at}') collate "C")
  where status in ('SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING', 'DISBURSING',
    'DISBURSEMENT_FAILED', 'CANCELLING', 'REFUND_PENDING');
-- below 31
create unique index concurrently if not exists proposal_lender_reference
  on proposal ((facts ->> 'reference'), coalesce(lender, '')) where not reference_repeated;
-- below 32
alter table partner add column if not exists moves int not null default 0;
alter table proposal
  add column if not exists commission jsonb,
  add column if not exists commission_partners uuid[];
create index concurrently if not exists proposal_commissioned on proposal using gin (commission_partners)
  where commission_partners is not null and status in ('SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE',
    'GUARANTEE_PENDING', 'DISBURSING', 'DISBURSEMENT_FAILED', 'CANCELLING', 'REFUND_PENDING');
