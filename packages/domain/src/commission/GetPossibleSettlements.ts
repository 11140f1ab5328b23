import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeReference } from "../hierarchy/judgeParent.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { centavos, reaisOf } from "../values/Centavos.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { judgeClosing } from "./Closing.ts"
import { CommissionSettlement } from "./CommissionSettlement.ts"
import { judgeStrictlyBelow } from "./judgePlan.ts"
import { parsePeriod, periodOf } from "./period.ts"

/** The actions on commissions that a caller can request for a partner and a period. */
export interface PossibleSettlements {
  readonly closing: boolean
  /** The required amount of a payout, in reais. Null if the caller cannot pay anything. */
  readonly payout: number | null
}

/** Returns the actions that a caller can request for a partner and a period (COMM-05, COMM-21, COMM-22). */
export const getPossibleSettlements = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:write">,
  partner_id: PartnerId,
  period: string
) {
  const { caller } = allowed
  const scope = scopeOf(allowed)
  const found = judgeReference("partner_id", yield* (yield* PartnerTree).find(scope, partner_id))
  const month = parsePeriod(period)
  if (Result.isFailure(found) || Result.isFailure(month)) return { closing: false, payout: null }
  const mayPay = Result.isSuccess(judgeStrictlyBelow(caller, partner_id, { ownRoot: false }))
  const mayClose = Result.isSuccess(judgeStrictlyBelow(caller, partner_id, { ownRoot: true }))
  const present = periodOf(saoPauloDate(yield* currentTimestamp))
  const closed = mayPay
    ? (yield* (yield* CommissionSettlement).closedSum(scope, found.success, month.success)).amount
    : centavos(0)
  const possible: PossibleSettlements = {
    closing: mayClose && Result.isSuccess(judgeClosing(month.success, present)),
    payout: closed > 0 ? reaisOf(closed) : null
  }
  return possible
})
