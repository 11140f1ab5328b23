-- Moves all tables of Lastro from the schema public to the schema lastro: docs/database.md.
do $$
declare
  moved text;
begin
  create schema lastro;
  foreach moved in array array[
    'api_client', 'app_user', 'application', 'application_expiry', 'application_expiry_fold', 'application_place_count',
    'application_place_delta', 'audit', 'audit_count',
    'audit_count_fold', 'commission_closing', 'commission_contract', 'commission_entry', 'commission_payout', 'commission_plan',
    'commission_statement', 'commission_sum', 'commission_visible', 'contract_look', 'ended_session', 'event', 'event_head', 'event_subscription', 'failed_login', 'idempotency', 'job', 'job_turn', 'lastro_migration', 'lender_callback', 'lender_throttle', 'node', 'partner', 'partner_ancestor', 'partner_routing', 'personal_data_key',
    'proposal', 'quote', 'refresh_token', 'signing_key', 'subtree_count', 'subtree_count_delta', 'subtree_partner',
    'subtree_region', 'webhook', 'webhook_delivery'
  ] loop
    execute format('alter table public.%I set schema lastro', moved);
  end loop;
  alter sequence public.job_fence set schema lastro;
  alter function public.count_application_places() set schema lastro;
  alter function public.commission_refuse_change() set schema lastro;
  alter function lastro.count_application_places() set search_path to lastro;
end $$;
