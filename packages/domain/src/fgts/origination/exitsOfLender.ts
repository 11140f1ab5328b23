import { Effect, Result } from "effect"
import { endWithin } from "../../time/endWithin.ts"
import { Lender } from "../lender/Lender.ts"
import { type LenderExits } from "../lender/LenderContract.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"

/** Maximum time for which a request waits for the exits of the lender. */
const patience = "5 seconds"

/**
 * Returns the exits that the lender offers, or null if the lender does not answer. A request is then accepted, and its job finds out. Call it
 * outside a transaction.
 */
export const exitsOfLender: Effect.Effect<LenderExits | null, never, Lender> = Effect.gen(function*() {
  const { exits } = yield* Lender
  const noAnswer = Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "no answer within 5 s" }))
  const answer = yield* Effect.result(endWithin(exits, patience, noAnswer))
  if (Result.isSuccess(answer)) return answer.success
  const { detail, reason } = answer.failure
  yield* Effect.annotateLogs(
    Effect.logWarning("the lender did not return its exits; the request is accepted, and the lender is asked later"),
    { reason, detail }
  )
  return null
})
