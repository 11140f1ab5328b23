import { Context, Effect } from "effect"

/**
 * True for a statement that is sent without waiting for its response. Only a transaction on a PostgreSQL server does this.
 * Other connections wait for each response.
 */
export const IsSentAhead: Context.Reference<boolean> = Context.Reference<boolean>(
  "@lastro/adapters-sql/database/postgres/sendAhead/IsSentAhead",
  { defaultValue: () => false }
)

/**
 * Sends a statement of a transaction without waiting for its response, so that it shares a round trip with the statement
 * after it. Use it for statements that return nothing. A failure becomes the failure of the next statement or of the
 * commit, so the transaction never commits without it.
 */
export const sendAhead = <A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> =>
  Effect.asVoid(Effect.provideService(statement, IsSentAhead, true))
