import { type SubscriptionKey, SubscriptionLost, SubscriptionStore } from "@lastro/domain/event"
import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"

interface CursorRow {
  readonly cursor: bigint
}

/** Stores subscriptions. The clock of the database decides whether a lease has expired. */
export const layer: Layer.Layer<SubscriptionStore, never, SqlClient.SqlClient> = Layer.effect(
  SubscriptionStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const find = ({ name, root_id }: SubscriptionKey) =>
      sql<CursorRow>`select cursor from event_subscription where root_id = ${root_id} and name = ${name}`
    return SubscriptionStore.of({
      open: (key, cursor) =>
        orDie(Effect.gen(function*() {
          // Read first: an insert would wait for a transaction that moves the cursor.
          const [stored] = yield* find(key)
          if (stored !== undefined) return Number(stored.cursor)
          yield* sql`insert into event_subscription (root_id, name, cursor)
            values (${key.root_id}, ${key.name}, ${cursor}) on conflict (root_id, name) do nothing`
          const [inserted] = yield* find(key)
          return Number(inserted?.cursor ?? cursor)
        })),
      lease: ({ name, root_id }, holder, forMs) =>
        Effect.map(
          orDie(sql<CursorRow>`
            with free as (
              select root_id, name from event_subscription
              where root_id = ${root_id} and name = ${name}
                and (holder is null or holder = ${holder} or leased_until <= clock_timestamp())
              for update skip locked
            )
            update event_subscription set holder = ${holder},
              leased_until = clock_timestamp() + ${forMs} * interval '1 millisecond'
            from free where event_subscription.root_id = free.root_id and event_subscription.name = free.name
            returning event_subscription.cursor`),
          (rows) => Option.map(Arr.head(rows), ({ cursor }) => Number(cursor))
        ),
      move: ({ name, root_id }, { from, holder, to }) =>
        Effect.flatMap(
          orDie(sql`
            update event_subscription set cursor = ${to}
            where root_id = ${root_id} and name = ${name} and holder = ${holder} and cursor = ${from} returning name`),
          (rows) => rows.length === 0 ? Effect.fail(new SubscriptionLost()) : Effect.void
        ),
      release: ({ name, root_id }, holder) =>
        Effect.asVoid(orDie(sql`
          update event_subscription set holder = null
          where root_id = ${root_id} and name = ${name} and holder = ${holder}`))
    })
  })
)
