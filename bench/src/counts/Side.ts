import { layerPostgres } from "@lastro/adapters-sql"
import { type UserRepository } from "@lastro/domain/user"
import { type PartnerId } from "@lastro/domain/values"
import { seed, type SeedOptions, vacuum } from "@lastro/seed"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase } from "../database.ts"
import { counted, uncounted } from "./uncounted.ts"

/** One of the two databases that are compared. In only one of them, inserts of users update the stored counts. */
export interface Side {
  readonly name: string
  readonly isCounted: boolean
  /** All partners of the database, which has a single tree. */
  readonly partners: ReadonlyArray<PartnerId>
  readonly root: PartnerId
  readonly sql: SqlClient.SqlClient
  /** Runs an effect with the ports of this database. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | UserRepository>) => Effect.Effect<A, E>
}

/** Creates and fills a database. As in the server, pending changes are added to the counts in the background. */
export const side = Effect.fn("side")(function*(
  postgres: string,
  isCounted: boolean,
  connections: number,
  options: SeedOptions
) {
  const url = Redacted.make(yield* freshDatabase(postgres))
  const ports = yield* Layer.build(layerPostgres({ url, maxConnections: connections }))
  const sql = yield* Effect.provideContext(SqlClient.SqlClient, ports)
  yield* Effect.provideContext(Effect.andThen(seed(options), vacuum()), ports)
  const rows = yield* sql<{ readonly id: PartnerId; readonly is_root: boolean }>`
    select id, parent_id is null as is_root from partner order by id`
  const root = rows.find(({ is_root }) => is_root)?.id
  if (root === undefined) return yield* Effect.die(new Error("The tree has no root"))
  return {
    name: isCounted ? "counted" : "not counted",
    isCounted,
    partners: rows.map(({ id }) => id),
    root,
    sql,
    run: (effect) => Effect.provideContext(isCounted ? counted(effect) : uncounted(effect), ports)
  } satisfies Side
})
