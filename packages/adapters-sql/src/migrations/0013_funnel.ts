import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const counts = [
  "quoting",
  "rejected",
  "quote_failed",
  "quoted",
  "expired",
  "contracting",
  "contracted",
  "refunding",
  "cancelled"
]
  .map((status) => `applications_${status}`)

/**
 * Adds the columns and indexes that the list of applications needs, and the counts of applications by status. The
 * columns contain the stage, the end of the offers, the rejection code, the region, and the facts that a list item
 * shows.
 *
 * `live_until` is the time at which the last offer expires. It is `-infinity` if the stage is not QUOTED or if the
 * offers were expired at the last event. The table `application_expiry` stores how the counts by status change when
 * offers expire. `application_expiry_fold` has the time up to which the stored counts include these changes.
 *
 * Each existing application is rewritten once. Indexes are created afterwards.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table application
      add column region_id uuid,
      add column stage text collate "C",
      add column live_until timestamptz(3) not null default '-infinity',
      add column rejection_code text collate "C",
      add column listed json`
  yield* sql`
    update application set
      region_id = partner.region_id,
      stage = placed.stage,
      live_until = case when placed.live_until > application.updated_at then placed.live_until else '-infinity' end,
      rejection_code = placed.rejection_code,
      listed = placed.listed::json
    from partner, (
      select application.id,
        case
          when proposal.status = 'PAID' then 'CONTRACTED'
          when proposal.status = 'REFUND_PENDING' then 'REFUNDING'
          when proposal.status in ('CANCELLED', 'REJECTED', 'REFUNDED') then 'CANCELLED'
          when proposal.status is not null then 'CONTRACTING'
          when application.cancellation is not null then 'CANCELLED'
          when latest.outcome = 'PENDING' then 'QUOTING'
          when latest.outcome = 'REJECTED' then 'REJECTED'
          when latest.outcome = 'FAILED' then 'QUOTE_FAILED'
          else 'QUOTED'
        end as stage,
        case when proposal.status is null and application.cancellation is null and latest.outcome = 'COMPLETED' then (
          select max((offer ->> 'expires_at')::timestamptz) from json_array_elements(latest.facts -> 'offers') offer
        ) end as live_until,
        case
          when proposal.status is not null then proposal.facts
          else coalesce(application.cancellation, latest.facts)
        end #>> '{rejection,code}' as rejection_code,
        jsonb_build_object(
          'quotes', jsonb_build_array(latest.facts::jsonb || jsonb_build_object('unpriced', '[]'::jsonb, 'offers', (
            select coalesce(jsonb_agg(jsonb_set(offer, '{terms,installments}', '[]') order by place), '[]')
            from jsonb_array_elements(latest.facts::jsonb -> 'offers') with ordinality offers (offer, place)
            where place = 1 or place = (
              select place from jsonb_array_elements(latest.facts::jsonb -> 'offers') with ordinality offers (offer, place)
              order by offer ->> 'expires_at' desc, place limit 1
            )
          ))),
          'proposal', proposal.facts::jsonb || '{"status_history": []}'
        ) as listed
      from application
      join lateral (
        select outcome, facts from quote where application_id = application.id order by number desc limit 1
      ) latest on true
      left join proposal on proposal.application_id = application.id
    ) placed
    where partner.id = application.partner_id and placed.id = application.id`
  yield* sql`alter table application alter column region_id set not null, alter column stage set not null, alter column listed set not null`
  yield* sql`
    alter table application add check (stage in (
      'QUOTING', 'REJECTED', 'QUOTE_FAILED', 'QUOTED', 'CONTRACTING', 'CONTRACTED', 'REFUNDING', 'CANCELLED'
    ))`

  yield* sql`create index application_cpf on application (cpf)`
  yield* sql`create index application_rejection on application (root_id, rejection_code) where rejection_code is not null`
  yield* sql`create index application_region on application (region_id, created_at, id)`
  yield* sql`create index application_partner on application (partner_id, created_at, id)`
  yield* sql`create index application_created on application (root_id, created_at, id) include (partner_id, region_id)`
  yield* sql`create index application_updated on application (root_id, updated_at, id) include (partner_id, region_id)`
  yield* sql`create index application_stage_region on application (region_id, stage, created_at, id) include (live_until)`
  yield* sql`create index application_stage_partner on application (partner_id, stage, created_at, id) include (live_until)`
  yield* sql`
    create index application_stage_created on application (root_id, stage, created_at, id)
      include (live_until, partner_id, region_id)`
  yield* sql`
    create index application_stage_updated on application (root_id, stage, updated_at, id)
      include (live_until, partner_id, region_id)`
  yield* sql`
    create index application_live on application (root_id, live_until)
      include (id, created_at, updated_at, partner_id, region_id) where live_until > '-infinity'`

  yield* sql`
    create table application_expiry (
      id bigint generated always as identity primary key,
      partner_id uuid not null,
      due_at timestamptz(3) not null,
      applications integer not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
  yield* sql`create index application_expiry_due on application_expiry (due_at, id) include (partner_id, applications)`
  yield* sql`
    create table application_expiry_fold (
      singleton boolean primary key default true check (singleton),
      folded_until timestamptz(3) not null
    )`
  for (const table of ["subtree_count", "subtree_count_delta"]) {
    for (const column of ["applications", ...counts]) {
      yield* sql`alter table ${sql(table)} add column ${sql(column)} integer not null default 0`
    }
  }
  yield* countApplications
})

const count = (column: string, condition: string) => `count(*) filter (where ${condition}) as ${column}`

/**
 * Counts the existing applications. Offers that have expired are counted as expired. For the others, the change at
 * their expiry is stored.
 */
const countApplications = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = sql`date_trunc('milliseconds', now()) - interval '1 minute'`
  yield* sql`
    insert into application_expiry_fold (folded_until)
    select coalesce(max(live_until), '-infinity') from application where live_until <= ${now}`
  yield* sql`
    insert into application_expiry (partner_id, due_at, applications)
    select partner_id, live_until, count(*) from application
    where live_until > (select folded_until from application_expiry_fold) group by partner_id, live_until`
  const counted = counts.map((column) => {
    const stage = column.slice("applications_".length).toUpperCase()
    return stage === "QUOTED" || stage === "EXPIRED"
      ? count(column, `stage = 'QUOTED' and ${stage === "EXPIRED" ? "not " : ""}is_live`)
      : count(column, `stage = '${stage}'`)
  })
  const all = ["applications", ...counts]
  yield* sql`
    update subtree_count set ${sql.literal(all.map((column) => `${column} = total.${column}`).join(", "))}
    from (
      select above.top_id, ${sql.literal(all.map((column) => `sum(own.${column}) as ${column}`).join(", "))}
      from (
        select partner_id, count(*) as applications, ${sql.literal(counted.join(", "))}
        from (select partner_id, stage, live_until > (select folded_until from application_expiry_fold) as is_live from application) placed group by partner_id
      ) own
      join partner on partner.id = own.partner_id
      cross join lateral (
        select top_id from subtree_region where region_id = partner.region_id
        union all select top_id from subtree_partner where partner_id = partner.id
      ) above
      group by above.top_id
    ) total
    where subtree_count.partner_id = total.top_id`
})
