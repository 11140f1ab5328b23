import { AuthenticationError, ConnectionError, SqlError } from "effect/sql/SqlError"
import { type ConnectionFailed } from "./ConnectionFailed.ts"
import { type ConnectionTarget } from "./ConnectionTarget.ts"
import { describeFailure } from "./describeFailure.ts"

/** Makes the `SqlError` of a connection that cannot be opened. A retry may succeed, once the operator has removed the problem. */
export const toSqlError = (failed: ConnectionFailed): SqlError => {
  const reason = { cause: failed, message: failed.message, operation: "connect" }
  return new SqlError({
    reason: failed.problem === "password_rejected" || failed.problem === "not_admitted"
      ? new AuthenticationError(reason)
      : new ConnectionError(reason)
  })
}

/** Replaces the error of a connection attempt by one that states the problem and the remedy. */
export const describeSqlError = (target: ConnectionTarget) => ({ reason }: SqlError): SqlError =>
  toSqlError(describeFailure(reason.cause, reason.message ?? "", target))
