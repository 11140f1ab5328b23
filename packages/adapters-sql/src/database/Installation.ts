import { Installation } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "./DatabaseFailure.ts"
import { locks } from "./locks.ts"

/** The database as a whole. */
export const layer: Layer.Layer<Installation, never, SqlClient.SqlClient> = Layer.effect(
  Installation,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Installation.of({
      isEmpty: orDie(sql.withTransaction(Effect.gen(function*() {
        const [usual] = yield* sql<{ readonly lock: string; readonly statement: string }>`
          select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`
        const limit = (lock: string, statement: string) =>
          sql`select set_config('lock_timeout', ${lock}, true), set_config('statement_timeout', ${statement}, true)`
        // Another node may be filling the database: that takes as long as it takes.
        yield* limit("0", "0")
        yield* locks(sql).exclusive("installation", "partner")
        yield* limit(usual?.lock ?? "0", usual?.statement ?? "0")
        // A statement of its own: its snapshot has to be younger than the lock.
        const [answer] = yield* sql<{ readonly empty: boolean }>`
          select not exists (select from partner) as empty`
        return answer?.empty ?? false
      })))
    }))
)
