import { Effect, Result } from "effect"
import { type CallPostponed, callWithinLimits, ticketOfRequest } from "../lender/callWithinLimits.ts"
import { Lender } from "../lender/Lender.ts"
import { LenderUnavailable } from "../lender/LenderFailures.ts"
import { atLender, lenderOfRecord, lenderRegistry } from "../lender/Lenders.ts"
import { type LenderThrottle } from "../lender/LenderThrottle.ts"
import { type Application, lenderOfContract } from "../loan/Application.ts"
import { type LenderExits } from "../loan/LenderContract.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { endWithin } from "../values/endWithin.ts"

/**
 * Maximum time for which a request waits until the lender states what it supports (cancellation, refund, new signature
 * link).
 */
const maxWait = "5 seconds"

const detailOf = (failure: LenderUnavailable | CallPostponed) =>
  failure._tag === "CallPostponed" ? {} : { detail: failure.detail }

/**
 * A request that depends on the lender's support (for a cancellation, refund or new signature link) uses what the
 * adapter knows without a call. If the adapter does not know, the request makes one call, within the limits of the
 * throttle, and waits at most 5 seconds for the answer. In a transaction of the host it makes no call, because the
 * transaction would keep the lock of the throttle. Without a call or an answer, the request is accepted, and its job calls the lender.
 *
 * Returns null if the lender's support is still unknown. Call it before the unit of work of a use case.
 * @rule LENDER-20
 */
export const exitsOfLender: Effect.Effect<LenderExits | null, never, Lender | LenderThrottle | UnitOfWork> = Effect.gen(
  function*() {
    const { exits, knownExits } = yield* Lender
    const known = knownExits === undefined ? null : yield* knownExits
    if (known !== null) return known
    if (knownExits !== undefined && (yield* (yield* UnitOfWork).isOpen)) return null
    // An adapter without `knownExits` makes no call for `exits`.
    const request = knownExits === undefined ? exits : callWithinLimits(ticketOfRequest, "exits", exits)
    const noAnswer = Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "no answer within 5 s" }))
    const answer = yield* Effect.result(endWithin(request, maxWait, noAnswer))
    if (Result.isSuccess(answer)) return answer.success
    yield* Effect.annotateLogs(
      Effect.logWarning(
        "the lender did not return which requests it supports; the request is accepted, and its job calls the lender"
      ),
      { reason: answer.failure.reason, ...detailOf(answer.failure) }
    )
    return null
  }
)

/**
 * Returns the requests that the lender of a contract supports. Null if unknown, or if the lender left the installation.
 */
export const exitsOfContract = Effect.fnUntraced(function*(application: Application) {
  const lender = lenderOfRecord(yield* lenderRegistry, lenderOfContract(application))
  return lender === undefined ? null : yield* atLender(lender)(exitsOfLender)
})

/** Returns the requests that the lender supports, without a call to it. Null if unknown. */
export const knownExitsOfLender: Effect.Effect<LenderExits | null, never, Lender> = Effect.flatMap(
  Lender,
  ({ exits, knownExits }) => knownExits ?? Effect.orElseSucceed(exits, () => null)
)

/** Returns the requests that the lender of a contract supports, without a call to it. Null if unknown. */
export const knownExitsOfContract = Effect.fnUntraced(function*(application: Application) {
  const lender = lenderOfRecord(yield* lenderRegistry, lenderOfContract(application))
  return lender === undefined ? null : yield* atLender(lender)(knownExitsOfLender)
})
