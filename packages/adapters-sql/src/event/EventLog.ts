import { type DomainEvent, EventLog, type EventQuery, type EventSlice } from "@lastro/domain/event"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement, sendAhead } from "../database/postgres/statements.ts"
import { ancestors } from "../hierarchy/subtree.ts"

/** Maximum number of events that one read numbers. The next read numbers the next ones. */
const maxNumbered = 5_000

/** Maximum number of events that one read examines. `next` is then the last one, and the next read goes on from it. */
const maxExamined = 10_000

interface EventRow extends Omit<DomainEvent, "occurred_at" | "sequence" | "subject" | "actor"> {
  readonly sequence: bigint
  readonly occurred_at: Date
  readonly subject_kind: DomainEvent["subject"]["kind"]
  readonly subject_id: string
  readonly subject_version: bigint | null
  readonly actor_kind: DomainEvent["actor"]["kind"]
  readonly actor_id: string
}

/** A row of a read: the last examined sequence, and an event, or nulls if no event matches. */
type ReadRow = (EventRow | Readonly<Record<keyof EventRow, null>>) & { readonly last: bigint | null }

const isEvent = (row: ReadRow): row is EventRow & ReadRow => row.event_id !== null

const eventOf = (row: EventRow): DomainEvent => ({
  event_id: row.event_id,
  sequence: Number(row.sequence),
  type: row.type,
  occurred_at: toTimestamp(row.occurred_at),
  partner_id: row.partner_id,
  subject: {
    kind: row.subject_kind,
    id: row.subject_id,
    version: row.subject_version === null ? null : Number(row.subject_version)
  },
  data: row.data,
  request_id: row.request_id,
  actor: { kind: row.actor_kind, id: row.actor_id }
})

const columns = [
  "event_id",
  "type",
  "occurred_at",
  "partner_id",
  "subject_kind",
  "subject_id",
  "subject_version",
  "data",
  "request_id",
  "actor_kind",
  "actor_id"
] as const

/**
 * Stores events in PostgreSQL. A writer only inserts. A reader first numbers the committed events of the tree, in the
 * order of their insertion, while it holds the row of the tree in `event_head`. So a number is given after the commit,
 * and no later commit can get a smaller one.
 */
export const layer: Layer.Layer<EventLog, never, SqlClient.SqlClient> = Layer.effect(
  EventLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = precompileStatement(sql, columns, (value) => {
      const owner = { id: sql.literal("owner.id"), region: sql.literal("owner.region_id") }
      return sql`
        insert into event (
          id, root_id, type, occurred_at, partner_id, above_ids, subject_kind, subject_id, subject_version, data,
          request_id, actor_kind, actor_id
        )
        select ${value.event_id}::uuid, owner.root_id, ${value.type}::text, ${value.occurred_at}::timestamptz, owner.id,
          array(select above.top_id from ${ancestors(sql, owner)} above), ${value.subject_kind}::text,
          ${value.subject_id}::text, ${value.subject_version}::bigint, ${value.data}::jsonb, ${value.request_id}::text,
          ${value.actor_kind}::text, ${value.actor_id}::text
        from partner owner where owner.id = ${value.partner_id}::uuid`
    })

    const hasUnnumbered = precompileStatement(
      sql,
      ["root"],
      ({ root }) =>
        sql<{ readonly unnumbered: boolean }>`
        select exists (select from event where root_id = ${root}::uuid and sequence is null) as unnumbered`
    )

    const number = (root: PartnerId) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`insert into event_head values (${root}, 0) on conflict do nothing`
        yield* sql`select from event_head where root_id = ${root} for update`
        yield* sql`
          with fresh as (
            select id, row_number() over (order by position) as place from (
              select id, position from event where root_id = ${root} and sequence is null
              order by position limit ${maxNumbered}
            ) unnumbered
          ),
          numbered as (
            update event set sequence = head.sequence + fresh.place from fresh, event_head head
            where event.id = fresh.id and head.root_id = ${root}
            returning event.sequence
          )
          update event_head set sequence = greatest(sequence, (select max(sequence) from numbered))
          where root_id = ${root} and exists (select from numbered)`
      }))

    const select = precompileStatement(
      sql,
      ["root", "partner", "after", "limit", "types", "subject"],
      ({ after, limit, partner, root, subject, types }) =>
        sql<ReadRow>`
        with examined as materialized (
          select item.* from event item
          where item.root_id = ${root}::uuid and item.sequence > ${after}::bigint
          order by item.sequence limit ${sql.literal(String(maxExamined))}
        )
        select (select max(sequence) from examined) as last, item.*
        from (select) one left join (
          select id as event_id, sequence, type, occurred_at, partner_id, subject_kind, subject_id, subject_version,
            data, request_id, actor_kind, actor_id
          from examined
          where ${partner}::uuid = any(above_ids)
            and (${types}::text[] is null or type = any(${types}::text[]))
            and (${subject}::text is null or subject_id = ${subject}::text)
          order by sequence limit ${limit}::bigint
        ) item on true
        order by item.sequence`
    )

    /** Numbers all committed events of a tree. */
    const numberAll = (root: PartnerId): Effect.Effect<void, SqlError> =>
      Effect.flatMap(
        hasUnnumbered({ root }),
        ([found]) => found?.unnumbered === true ? Effect.andThen(number(root), numberAll(root)) : Effect.void
      )

    return EventLog.of({
      append: (entries) =>
        orDie(Effect.forEach(entries, ({ actor, data, subject, ...entry }) =>
          sendAhead(insert({
            ...entry,
            data: JSON.stringify(data),
            subject_kind: subject.kind,
            subject_id: subject.id,
            subject_version: subject.version,
            actor_kind: actor.kind,
            actor_id: actor.id
          })), { discard: true })),
      last: (root) =>
        Effect.map(
          orDie(Effect.andThen(
            numberAll(root),
            sql<{ readonly sequence: bigint }>`select sequence from event_head where root_id = ${root}`
          )),
          ([row]) => Number(row?.sequence ?? 0)
        ),
      read: (partner, root, { after, limit, subject_id, types }: EventQuery) =>
        orDie(Effect.gen(function*() {
          const [found] = yield* hasUnnumbered({ root })
          if (found?.unnumbered === true) yield* number(root)
          const rows = yield* select({
            root,
            partner,
            after,
            limit,
            types: types ?? null,
            subject: subject_id ?? null
          })
          const events = rows.filter(isEvent).map(eventOf)
          const last = events.length === limit ? events.at(-1)?.sequence : rows[0]?.last
          const slice: EventSlice = { events, next: Math.max(after, Number(last ?? after)) }
          return slice
        }))
    })
  })
)
