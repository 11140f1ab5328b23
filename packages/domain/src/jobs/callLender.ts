import { Effect } from "effect"
import { callInTurn, CallPostponed } from "../lender/callInTurn.ts"
import { type LenderOperation } from "../lender/callMetrics.ts"
import { type Lender } from "../lender/Lender.ts"
import { type LenderUnavailable } from "../lender/LenderFailures.ts"
import { type LenderThrottle } from "../lender/LenderThrottle.ts"
import { type LenderContract } from "../loan/LenderContract.ts"
import { judgeReference } from "./judgeReference.ts"

/**
 * Calls the lender once for a contract, within the limits of the throttle, and validates the reference in the answer.
 * If the call is postponed, the effect dies with CallPostponed. `runJob` catches this defect, and runs the job again
 * when the call is due. It is a defect so that no caller can mistake it for an answer of the lender.
 */
export const callLender = <A extends LenderContract | null, E, R>(
  operation: LenderOperation,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LenderUnavailable, R | Lender | LenderThrottle> =>
  callInTurn(operation, call).pipe(
    Effect.flatMap((contract) => Effect.fromResult(judgeReference(contract))),
    Effect.catchIf((error) => error instanceof CallPostponed, (error) => Effect.die(error))
  )
