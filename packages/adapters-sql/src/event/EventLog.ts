import { type DomainEvent, EventLog, type EventQuery, EventsExpired, type EventSlice } from "@lastro/domain/event"
import { currentTraceparent, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { Effect, Layer, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement, sendAhead } from "../database/postgres/statements.ts"
import { ancestors, locationOfOwner } from "../hierarchy/subtree.ts"
import { isUnnumbered, makeEventArrivals } from "./EventArrivals.ts"

/** Maximum number of events to which one read gives a sequence. */
const maxNumbered = 10_000

/** Maximum number of events that one read examines. If it stops there, `next` is the last examined event. */
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

/** A row of a read: the state of the feed, and an event. The columns of the event are null if no event matches. */
type ReadRow = (EventRow | Readonly<Record<keyof EventRow, null>>) & {
  /** The highest sequence of the tree. */
  readonly newest: bigint
  /** The highest deleted sequence of the tree. */
  readonly deleted: bigint
  /** True if the tree has committed events without a sequence that the read may have to examine. */
  readonly unnumbered: boolean
}

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
  "actor_id",
  "traceparent"
] as const

/**
 * Stores events. A writer only inserts. A reader first locks the tree's row in `event_head`, and gives sequences to the
 * committed events of the tree in the order of their insertion. So an event gets its sequence after its commit, and no
 * later commit can get a lower one.
 */
export const layer: Layer.Layer<EventLog, never, SqlClient.SqlClient> = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const arrivals = yield* makeEventArrivals(sql)
    const scope = yield* Effect.scope
    const aheadTurn = Semaphore.makeUnsafe(1)
    const insert = precompileStatement(sql, columns, (value) =>
      sql`
        insert into event (
          id, root_id, type, occurred_at, partner_id, above_ids, subject_kind, subject_id, subject_version, data,
          request_id, actor_kind, actor_id, traceparent
        )
        select ${value.event_id}::uuid, owner.root_id, ${value.type}::text, ${value.occurred_at}::timestamptz, owner.id,
          array(select above.top_id from ${ancestors(sql, locationOfOwner(sql))} above), ${value.subject_kind}::text,
          ${value.subject_id}::text, ${value.subject_version}::bigint, ${value.data}::jsonb, ${value.request_id}::text,
          ${value.actor_kind}::text, ${value.actor_id}::text, ${value.traceparent}::text
        from partner owner where owner.id = ${value.partner_id}::uuid`)

    const hasUnnumbered = (root: PartnerId) =>
      Effect.map(
        sql<{ readonly unnumbered: boolean }>`select ${isUnnumbered(sql, sql`${root}::uuid`)} as unnumbered`,
        ([row]) => row?.unnumbered === true
      )

    /** Gives sequences to the next events of a tree. Returns whether there may be more. */
    const number = (root: PartnerId) =>
      sql.withTransaction(Effect.gen(function*() {
        const [head] = yield* sql<{ readonly sequence: bigint }>`
          insert into event_head (root_id, sequence) values (${root}, 0)
          on conflict (root_id) do update set sequence = event_head.sequence returning sequence`
        // `ctid` is safe here: only the holder of the lock changes events without a sequence. The query always starts at
        // the lowest position, because a transaction that commits later may have inserted events at lower positions.
        yield* sql`
          update event set sequence = ${head?.sequence}::bigint + fresh.place
          from unnest(array(
            select ctid from event where root_id = ${root} and sequence is null order by position limit ${maxNumbered}
          )) with ordinality as fresh (spot, place)
          where event.ctid = fresh.spot`
        const [moved] = yield* sql<{ readonly sequence: bigint }>`
          update event_head set sequence = greatest(sequence, (select max(sequence) from event where root_id = ${root}))
          where root_id = ${root} returning sequence`
        return Number(moved?.sequence ?? 0) - Number(head?.sequence ?? 0) === maxNumbered
      }))

    const numberPieces = (root: PartnerId): Effect.Effect<void, SqlError.SqlError> =>
      Effect.flatMap(number(root), (hasMore) => hasMore ? Effect.suspend(() => numberPieces(root)) : Effect.void)

    /** Gives sequences to all events committed so far. Ends even if others are committed meanwhile. */
    const numberAll = (root: PartnerId) =>
      Effect.flatMap(hasUnnumbered(root), (isNeeded) => isNeeded ? numberPieces(root) : Effect.void)

    const select = precompileStatement(
      sql,
      ["root", "partner", "after", "limit", "types", "subject"],
      ({ after, limit, partner, root, subject, types }) =>
        sql<ReadRow>`
        select head.newest, head.deleted, item.*,
          head.newest < head.beginning + ${sql.literal(String(maxExamined))}
            and ${isUnnumbered(sql, sql`${root}::uuid`)} as unnumbered
        from (
          select coalesce(max(sequence), 0) as newest, coalesce(max(deleted), 0) as deleted,
            greatest(${after}::bigint, max(deleted)) as beginning
          from event_head where root_id = ${root}::uuid
        ) head left join lateral (
          select id as event_id, sequence, type, occurred_at, partner_id, subject_kind, subject_id, subject_version,
            data, request_id, actor_kind, actor_id
          from event
          where root_id = ${root}::uuid and sequence > head.beginning
            and sequence <= head.beginning + ${sql.literal(String(maxExamined))}
            and ${partner}::uuid = any(above_ids)
            and (${types}::text[] is null or type = any(${types}::text[]))
            and (${subject}::text is null or subject_id = ${subject}::text)
          order by sequence limit ${limit}::bigint
        ) item on true
        order by item.sequence`
    )

    /**
     * Gives sequences to the other events in the background, so that they have them when the reader continues. Does
     * nothing while this is already running.
     */
    const numberAhead = (root: PartnerId) =>
      Effect.forkIn(aheadTurn.withPermitsIfAvailable(1)(Effect.ignoreCause(numberAll(root))), scope)

    const read = Effect.fnUntraced(function*(
      partner: PartnerId,
      root: PartnerId,
      { after, limit, subject_id, types }: EventQuery
    ) {
      const selected = select({
        root,
        partner,
        after: after ?? 0,
        limit,
        types: types ?? null,
        subject: subject_id ?? null
      })
      let rows = yield* selected
      let events = rows.filter(isEvent)
      // The other events will have higher sequences, so a full part of the feed is complete without them.
      if (rows[0]?.unnumbered === true) {
        if (events.length === limit) yield* numberAhead(root)
        else {
          yield* number(root)
          rows = yield* selected
          events = rows.filter(isEvent)
        }
      }
      const deleted = Number(rows[0]?.deleted ?? 0)
      if (after !== undefined && after < deleted) return yield* new EventsExpired({ oldest: deleted })
      const beginning = after ?? deleted
      const last = events.length === limit
        ? Number(events.at(-1)?.sequence ?? beginning)
        : Math.min(beginning + maxExamined, Number(rows[0]?.newest ?? 0))
      const slice: EventSlice = { events: events.map(eventOf), next: Math.max(beginning, last) }
      return slice
    })

    /** Selects a tree whose oldest event is from before a time. */
    const findOldest = (before: Timestamp) =>
      sql<{ readonly root: PartnerId }>`
      select partner.id as root from partner cross join lateral (
        select coalesce(
          (select occurred_at from event where root_id = partner.id and sequence is not null order by sequence limit 1),
          (select occurred_at from event where root_id = partner.id and sequence is null order by position limit 1)
        ) as occurred_at
      ) oldest
      where partner.parent_id is null and oldest.occurred_at < ${before} limit 1`

    const deleteOldest = (root: PartnerId, before: Timestamp, limit: number) =>
      sql<{ readonly count: bigint }>`
      with oldest as (
        select id, sequence, occurred_at from event
        where root_id = ${root} and sequence is not null order by sequence limit ${limit}
      ),
      gone as (
        delete from event using oldest where event.id = oldest.id and oldest.sequence < coalesce(
          (select min(sequence) from oldest where occurred_at >= ${before}), ${sql.literal("9223372036854775807")}
        )
        returning event.sequence
      ),
      remembered as (
        update event_head set deleted = greatest(deleted, (select max(sequence) from gone))
        where root_id = ${root} and exists (select from gone)
      )
      select count(*) as count from gone`

    return EventLog.of({
      append: Effect.fnUntraced(function*(entries) {
        const traceparent = yield* currentTraceparent
        for (const { actor, data, subject, ...entry } of entries) {
          const row = {
            ...entry,
            traceparent,
            data: JSON.stringify(data),
            subject_kind: subject.kind,
            subject_id: subject.id,
            subject_version: subject.version,
            actor_kind: actor.kind,
            actor_id: actor.id
          }
          yield* orDie(sendAhead(insert(row)))
        }
        if (arrivals.isAwaited()) yield* sql.afterCommit(Effect.sync(arrivals.nudge))
      }),
      read: (partner, root, query) =>
        Effect.catchTag(read(partner, root, query), "SqlError", (error) => orDie(Effect.fail(error))),
      last: (root) =>
        orDie(Effect.andThen(
          numberAll(root),
          Effect.map(
            sql<{ readonly sequence: bigint }>`select sequence from event_head where root_id = ${root}`,
            ([head]) => Number(head?.sequence ?? 0)
          )
        )),
      arrival: arrivals.wait,
      deleteBefore: (before, limit) =>
        orDie(Effect.gen(function*() {
          const [tree] = yield* findOldest(before)
          if (tree === undefined) return 0
          if (yield* hasUnnumbered(tree.root)) yield* number(tree.root)
          const [deleted] = yield* deleteOldest(tree.root, before, limit)
          return Number(deleted?.count ?? 0)
        }))
    })
  })
)
