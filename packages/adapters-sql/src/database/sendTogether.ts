import { Effect, Fiber } from "effect"
import { type SqlClient } from "effect/sql"
import { orDie } from "./DatabaseFailure.ts"
import { isLean } from "./postgres/makePgClient.ts"

/**
 * Runs two effects that read. On a PostgreSQL server, the first statement of `second` is sent together with that of `first`.
 * Other clients run one after the other.
 */
export const sendTogether = <A, B, R, R2>(
  sql: SqlClient.SqlClient,
  first: Effect.Effect<A, never, R>,
  second: Effect.Effect<B, never, R2>
): Effect.Effect<readonly [A, B], never, R | R2> =>
  isLean(sql)
    ? orDie(sql.onOneSession(Effect.gen(function*() {
      const sent = yield* Effect.forkChild(first, { startImmediately: true })
      const result = yield* second
      return [yield* Fiber.join(sent), result] as const
    })))
    : Effect.zip(first, second)
