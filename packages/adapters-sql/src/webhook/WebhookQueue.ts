import {
  endedKeptMs,
  type FeedPart,
  type SettledBatch,
  type WebhookCounts,
  type WebhookLease,
  webhookLeaseMs,
  WebhookQueue
} from "@lastro/domain/webhook"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { isUnnumbered } from "../event/EventArrivals.ts"
import { areAncestorsActive } from "../hierarchy/subtree.ts"
import {
  dueNow,
  leaseOf,
  type LeaseRow,
  stepOf,
  type StepRow,
  webhookColumns,
  webhookOf,
  type WebhookRow
} from "./webhookRow.ts"

/** Maximum number of open deliveries that a claim or a step counts. One more than a webhook may have. */
const maxCounted = 10_001

/** Shares webhook deliveries between the nodes of a database. All times are those of the database. */
export const layer: Layer.Layer<WebhookQueue, never, SqlClient.SqlClient> = Layer.effect(
  WebhookQueue,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const leaseEnd = sql`now() + ${webhookLeaseMs} * interval '1 millisecond'`
    const isServed = sql`owner.deleted_at is null and ${areAncestorsActive(sql)}`
    const isOpen = sql.literal("item.status = 'ACTIVE' and (item.hold_until is null or item.hold_until <= now())")
    const pendingOf = sql.literal("delivery.webhook_id = item.id and delivery.status = 'PENDING'")
    const openCount = sql`(
      select count(*) from (
        select from webhook_delivery delivery where ${pendingOf} limit ${maxCounted}
      ) pending
    )`
    const leaseColumns = sql`
      item.id, item.partner_id, item.root_id, item.types, item.status, item.sequence, item.failures, item.is_lagging,
      item.fence, ${openCount} as open`

    /** Selects the webhooks without a lease that have deliveries, each with its position in the turns of its tree. */
    const waiting = sql`
      select item.id, item.is_lagging, row_number() over (
        partition by item.root_id, item.is_lagging order by item.leased_until, item.id
      ) as place
      from webhook item join partner owner on owner.id = item.partner_id
      where item.leased_until <= now() and ${isServed}
        and (
          (${isOpen} and (
            item.next_at <= now()
            or not item.is_full and (
              exists (select from event where event.root_id = item.root_id and event.sequence > item.sequence)
              or ${isUnnumbered(sql, sql.literal("item.root_id"))}
            )
          ))
          or exists (
            select from webhook_delivery delivery where ${pendingOf} and delivery.sequence is null
          )
        )`

    /** Stores deliveries of the next events, and moves the webhook's position in the feed behind these events. */
    const planDeliveries = ({ fence, webhook_id }: WebhookLease, { after, events, next }: FeedPart) =>
      sql`
        with moved as (
          update webhook set sequence = ${next}, leased_until = ${leaseEnd}
          where id = ${webhook_id} and fence = ${fence} and status = 'ACTIVE' and sequence = ${after}
          returning id
        )
        insert into webhook_delivery (webhook_id, event_id, sequence, type, body, status, next_at)
        select moved.id, event.event_id, event.sequence, event.type, event.body, 'PENDING', ${sql.literal(dueNow)}
        from moved cross join unnest(
          ${events.map(({ event_id }) => event_id)}::uuid[], ${events.map(({ sequence }) => sequence)}::bigint[],
          ${events.map(({ type }) => type)}::text[], ${events.map((event) => JSON.stringify(event))}::text[]
        ) as event (event_id, sequence, type, body)
        on conflict (webhook_id, event_id) do update set status = 'PENDING', attempts = 0, next_at = ${
        sql.literal(dueNow)
      }
        where webhook_delivery.status <> 'PENDING'`

    /** Renews the lease. Returns the webhook with its due deliveries. */
    const readDue = ({ fence, webhook_id }: WebhookLease, limit: number) =>
      sql<StepRow>`
        with item as (
          update webhook set leased_until = ${leaseEnd} where id = ${webhook_id} and fence = ${fence} returning *
        )
        select ${leaseColumns}, item.url, item.secret, item.previous_secret, item.previous_valid_until, (
          select coalesce(
            json_agg(
              json_build_object(
                'event_id', due.event_id, 'body', due.body, 'attempts', due.attempts, 'is_test', due.sequence is null,
                'traceparent', (select traceparent from event where event.id = due.event_id)
              ) order by due.next_at, due.sequence
            ),
            '[]'
          )
          from (
            select delivery.* from webhook_delivery delivery
            where ${pendingOf} and delivery.next_at <= now() and (${isOpen} or delivery.sequence is null)
            order by delivery.next_at, delivery.sequence limit ${limit}
          ) due
        ) as due
        from item`

    /** Stores the outcomes of deliveries and the new state of the webhook. Renews the lease. */
    const storeOutcomes = ({ fence, webhook_id }: WebhookLease, batch: SettledBatch) =>
      sql`
        with held as (select id from webhook where id = ${webhook_id} and fence = ${fence} for update),
        settled as (
          update webhook_delivery delivery set
            status = outcome.status, attempts = delivery.attempts + 1, last_status = outcome.last_status,
            last_fault = outcome.last_fault, duration_ms = outcome.duration_ms, last_at = now(),
            next_at = now() + outcome.after_ms * interval '1 millisecond'
          from held cross join jsonb_to_recordset(${JSON.stringify(batch.outcomes)}::jsonb) as outcome (
            event_id uuid, status text, last_status int, last_fault text, duration_ms int, after_ms float8
          )
          where delivery.webhook_id = held.id and delivery.event_id = outcome.event_id and delivery.status = 'PENDING'
        )
        update webhook set
          failures = ${batch.failures}, is_lagging = ${batch.is_lagging}, leased_until = ${leaseEnd},
          hold_until = coalesce(now() + ${batch.hold_ms}::float8 * interval '1 millisecond', hold_until),
          last_success_at = case when ${batch.succeeded}::boolean then now() else last_success_at end,
          last_failure_at = case when ${batch.failure}::text is null then last_failure_at else now() end,
          last_failure = coalesce(${batch.failure}::text, last_failure)
        from held where webhook.id = held.id`

    /** Stops an active webhook. Returns it before and after. */
    const stop = Effect.fnUntraced(function*(
      { fence, webhook_id }: WebhookLease,
      { status, stop_reason }: NonNullable<SettledBatch["stop"]>
    ) {
      const held = sql`item.id = ${webhook_id} and item.fence = ${fence} and item.status = 'ACTIVE'`
      const [before] = yield* sql<WebhookRow>`
        select ${sql.literal(webhookColumns)} from webhook item where ${held} for update`
      if (before === undefined) return null
      const [after = before] = yield* sql<WebhookRow>`
        update webhook item set
          status = ${status}, stop_reason = ${stop_reason}, updated_at = now(), version = item.version + 1
        where ${held} returning ${sql.literal(webhookColumns)}`
      return { before: webhookOf(before), after: webhookOf(after) }
    })

    return WebhookQueue.of({
      claim: ({ healthy, lagging }) =>
        Effect.map(
          orDie(sql<LeaseRow>`
            with waiting as materialized (${waiting}),
            picked as (
              (select id from waiting where not is_lagging order by place, id limit ${healthy})
              union all (select id from waiting where is_lagging order by place, id limit ${lagging})
            ),
            free as (
              select item.id from webhook item join picked using (id)
              where item.leased_until <= now() for update of item skip locked
            ),
            item as (
              update webhook set
                fence = webhook.fence + 1, leased_until = ${leaseEnd}, next_at = now(), is_requested = false
              from free where webhook.id = free.id
              returning webhook.*
            )
            select ${leaseColumns} from item`),
          (rows) => rows.map(leaseOf)
        ),
      advance: (lease, part, limit) =>
        orDie(Effect.gen(function*() {
          if (part !== null) yield* planDeliveries(lease, part)
          const [row] = yield* readDue(lease, limit)
          return row === undefined ? null : stepOf(row)
        })),
      settle: (lease, batch) =>
        orDie(
          batch.stop === null
            ? Effect.as(storeOutcomes(lease, batch), null)
            : sql.withTransaction(Effect.andThen(storeOutcomes(lease, batch), stop(lease, batch.stop)))
        ),
      release: ({ fence, webhook_id }, window) =>
        Effect.asVoid(orDie(sql`
          update webhook item set
            leased_until = now(), is_full = ${openCount} >= ${window},
            next_at = case when item.is_requested then now() else (
              select min(delivery.next_at) from webhook_delivery delivery where ${pendingOf}
            ) end
          where id = ${webhook_id} and fence = ${fence}`)),
      prune: (limit) =>
        Effect.map(
          // `known` has each webhook with deliveries, found by one index search. It may be deleted.
          orDie(sql<{ readonly pruned: bigint }>`
            with recursive known as (
              (select webhook_id from webhook_delivery order by webhook_id limit 1)
              union all
              select (
                select next.webhook_id from webhook_delivery next
                where next.webhook_id > known.webhook_id order by next.webhook_id limit 1
              ) from known where known.webhook_id is not null
            ),
            ended as (
              (
                select webhook_id, event_id from webhook_delivery
                where status <> 'PENDING' and last_at < now() - ${endedKeptMs} * interval '1 millisecond'
                  and (status = 'DELIVERED' or sequence is null)
                order by last_at limit ${limit}
              )
              union
              (
                select delivery.webhook_id, delivery.event_id
                from known join webhook_delivery delivery using (webhook_id)
                where not exists (select from webhook where webhook.id = known.webhook_id) limit ${limit}
              )
            ),
            pruned as (
              delete from webhook_delivery delivery using (select * from ended limit ${limit}) old
              where delivery.webhook_id = old.webhook_id and delivery.event_id = old.event_id returning delivery.event_id
            )
            select count(*) as pruned from pruned`),
          ([row]) => Number(row?.pruned ?? 0)
        ),
      counts: Effect.map(
        orDie(sql<WebhookCounts>`
          select
            (count(*) filter (where item.status = 'ACTIVE'))::int as active,
            (count(*) filter (where item.status = 'PAUSED'))::int as paused,
            (count(*) filter (where item.status = 'DISABLED'))::int as disabled,
            coalesce(sum(${openCount}), 0)::int as pending,
            coalesce(extract(epoch from now() - min((
              select min(delivery.next_at) from webhook_delivery delivery
              where ${pendingOf} and delivery.next_at <= now() and ${isOpen} and ${isServed}
            ))), 0)::float8 as oldest_due_seconds
          from webhook item join partner owner on owner.id = item.partner_id`),
        ([row]) => row ?? { active: 0, paused: 0, disabled: 0, pending: 0, oldest_due_seconds: 0 }
      )
    })
  })
)
