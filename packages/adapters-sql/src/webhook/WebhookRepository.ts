import { type WebhookId } from "@lastro/domain/values"
import { type DeliveryRecord, WebhookRepository } from "@lastro/domain/webhook"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { precompileStatement } from "../database/postgres/statements.ts"
import { locationOfOwner, subtreeBelow, subtreeOf, toFoundRecord } from "../hierarchy/subtree.ts"
import { jobChannelSql, webhookNotice } from "../jobs/dueJobs.ts"
import { readSmallPage } from "../paging/smallPages.ts"
import { dueNow, webhookColumns, webhookOf, type WebhookRow } from "./webhookRow.ts"

interface DeliveryRow extends Omit<DeliveryRecord, "sequence" | "last_attempt_at" | "next_attempt_at" | "created_at"> {
  readonly sequence: bigint | null
  readonly last_at: Date | null
  readonly next_at: Date | null
  readonly created_at: Date
}

const deliveryOf = ({ created_at, last_at, next_at, sequence, ...row }: DeliveryRow): DeliveryRecord => ({
  // The row may have other columns, such as the total of a page.
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  last_status: row.last_status,
  last_fault: row.last_fault,
  duration_ms: row.duration_ms,
  sequence: sequence === null ? null : Number(sequence),
  last_attempt_at: toNullableTimestamp(last_at),
  next_attempt_at: toNullableTimestamp(next_at),
  created_at: toTimestamp(created_at)
})

const deliveryColumns =
  "item.webhook_id, item.event_id, item.sequence, item.type, item.status, item.attempts, item.last_status, " +
  "item.last_fault, item.duration_ms, item.last_at, item.next_at, item.created_at"

type ScopedRow = WebhookRow & { readonly inside: boolean }

const toFound = (rows: Effect.Effect<ReadonlyArray<ScopedRow>, SqlError>) =>
  Effect.map(orDie(rows), (rows) => toFoundRecord(rows, webhookOf))

const byTime = { created_at: "created_at" }

export const layer: Layer.Layer<WebhookRepository, never, SqlClient.SqlClient> = Layer.effect(
  WebhookRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = ({ id, top }: Readonly<Record<"id" | "top", unknown>>) =>
      sql<ScopedRow>`
        select ${sql.literal(webhookColumns)},
          ${subtreeBelow(sql, top).contains(locationOfOwner(sql))} as inside
        from webhook item join partner owner on owner.id = item.partner_id
        where item.id = ${id}`
    const selectScoped = precompileRead(sql, { id: "uuid", top: "uuid" }, select)
    const selectForUpdate = precompileStatement(
      sql,
      ["id", "top"],
      (values) => sql<ScopedRow>`${select(values)} for update of item`
    )

    /** Makes a webhook due at once. The commit notifies the workers. */
    const request = (id: WebhookId) =>
      sql`
        with requested as (
          update webhook set next_at = now(), is_requested = true where id = ${id} returning id
        )
        select pg_notify(${sql.literal(jobChannelSql)}, ${webhookNotice}) from requested`

    const thenRequest = (id: WebhookId, statement: Effect.Effect<unknown, SqlError>) =>
      Effect.asVoid(orDie(Effect.andThen(statement, request(id))))

    return WebhookRepository.of({
      find: ({ partner_id: top }, id) => toFound(selectScoped({ id, top })),
      findForUpdate: ({ partner_id: top }, id) => toFound(selectForUpdate({ id, top })),
      list: (scope, { filters: { partner_id, status }, ...query }, budget = Number.POSITIVE_INFINITY) =>
        readSmallPage(
          sql,
          {
            columns: webhookColumns,
            from: sql`
              from webhook item join partner owner on owner.id = item.partner_id
              where ${subtreeOf(sql, scope).contains(locationOfOwner(sql))}
                and (${partner_id ?? null}::uuid is null or item.partner_id = ${partner_id ?? null}::uuid)
                and (${status ?? null}::text is null or item.status = ${status ?? null}::text)`,
            sorts: byTime,
            id: "id",
            toItem: webhookOf
          },
          query,
          budget
        ),
      listAll: (limit) =>
        Effect.map(
          orDie(sql<WebhookRow>`
            select ${sql.literal(webhookColumns)} from webhook item
            order by item.created_at desc, item.id desc limit ${limit}`),
          (rows) => rows.map(webhookOf)
        ),
      findOwner: (id) =>
        Effect.map(
          orDie(sql<Pick<WebhookRow, "partner_id">>`select partner_id from webhook where id = ${id}`),
          ([row]) => Option.fromUndefinedOr(row?.partner_id)
        ),
      count: ({ record }) =>
        Effect.map(
          orDie(Effect.andThen(
            sql`select from partner where id = ${record} for no key update`,
            sql<{ readonly count: bigint }>`select count(*) as count from webhook where partner_id = ${record}`
          )),
          ([row]) => Number(row?.count ?? 0)
        ),
      insert: (owner, { health: _, webhook_id, ...webhook }, { cursor, root_id, secret }) =>
        Effect.asVoid(orDie(sql`
          insert into webhook ${
          sql.insert({
            ...webhook,
            id: webhook_id,
            partner_id: owner.record,
            types: [...webhook.types],
            root_id,
            secret,
            sequence: cursor
          })
        }`)),
      update: ({ record: { webhook_id } }, { description, status, stop_reason, types, updated_at, url, version }) =>
        Effect.asVoid(orDie(sql`
          update webhook set
            url = ${url}, types = ${[...types]}::text[], description = ${description}, status = ${status},
            stop_reason = ${stop_reason}, updated_at = ${updated_at}, version = ${version}
          where id = ${webhook_id}`)),
      setSecret: ({ record: { webhook_id } }, secret, previous_valid_until) =>
        Effect.asVoid(orDie(sql`
          update webhook set
            previous_secret = secret, secret = ${secret}, previous_valid_until = ${previous_valid_until}
          where id = ${webhook_id}`)),
      remove: ({ record: { webhook_id } }) => Effect.asVoid(orDie(sql`delete from webhook where id = ${webhook_id}`)),
      restart: ({ record: { webhook_id } }) =>
        thenRequest(
          webhook_id,
          Effect.andThen(
            sql`update webhook set failures = 0, hold_until = null, is_full = false where id = ${webhook_id}`,
            sql`
              update webhook_delivery set status = 'PENDING', attempts = 0, next_at = ${sql.literal(dueNow)}
              where webhook_id = ${webhook_id} and status <> 'DELIVERED' and sequence is not null`
          )
        ),
      moveCursor: Effect.fnUntraced(function*({ record: { webhook_id } }, change) {
        const [row] = yield* orDie(sql<{ readonly sequence: bigint }>`
          select sequence from webhook where id = ${webhook_id} for update`)
        const cursor = change(Number(row?.sequence ?? 0))
        yield* thenRequest(webhook_id, sql`update webhook set sequence = ${cursor} where id = ${webhook_id}`)
        return cursor
      }),
      listDeliveries: (
        { record: { webhook_id } },
        { filters: { status }, ...query },
        budget = Number.POSITIVE_INFINITY
      ) =>
        readSmallPage(
          sql,
          {
            columns: deliveryColumns,
            from: sql`
              from webhook_delivery item
              where item.webhook_id = ${webhook_id}
                and (${status ?? null}::text is null or item.status = ${status ?? null}::text)`,
            sorts: byTime,
            id: "event_id",
            toItem: deliveryOf
          },
          query,
          budget
        ),
      findDelivery: ({ record: { webhook_id } }, event_id) =>
        Effect.map(
          orDie(sql<DeliveryRow>`
            select ${sql.literal(deliveryColumns)} from webhook_delivery item
            where webhook_id = ${webhook_id} and event_id = ${event_id}`),
          (rows) => Option.map(Arr.head(rows), deliveryOf)
        ),
      addTest: ({ record: { webhook_id } }, { body, event_id, sequence, type }) =>
        thenRequest(
          webhook_id,
          sql`
            insert into webhook_delivery (webhook_id, event_id, sequence, type, body, status, next_at)
            values (${webhook_id}, ${event_id}, ${sequence}, ${type}, ${body}, 'PENDING', ${sql.literal(dueNow)})`
        ),
      redeliver: ({ record: { webhook_id } }, event_id) =>
        thenRequest(
          webhook_id,
          sql`
            update webhook_delivery set status = 'PENDING', attempts = 0, next_at = ${sql.literal(dueNow)}
            where webhook_id = ${webhook_id} and event_id = ${event_id}`
        )
    })
  })
)
