import { Result, Schema } from "effect"
import { field } from "../input/field.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { textSchema } from "../input/Text.ts"
import { Amount } from "../values/Amount.ts"
import { Reais } from "../values/Centavos.ts"
import { PartnerId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { Uuid } from "../values/Uuid.ts"
import { type ClosedSum } from "./CommissionSettlement.ts"
import { Period, previousPeriod } from "./period.ts"

/** The id of a closing. */
export const ClosingId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The closing's id", examples: ["0197f3a3-28e9-7a1b-95b7-c8d9e0f10213"] }),
  Schema.brand("ClosingId")
)
export type ClosingId = typeof ClosingId.Type

/** The request body that closes a commission month of a partner. */
export const CloseCommissionsRequest = Schema.Struct({
  period: field(Period, "The São Paulo month to close, which must have ended", "2026-10"),
  partner_id: field(PartnerId, "The partner: a descendant of the caller's own, or the caller's own if that is a root")
}).annotate({
  identifier: "CloseCommissionsRequest",
  description: "Request body that closes a commission month of a partner"
})
export type CloseCommissionsRequest = typeof CloseCommissionsRequest.Encoded

/** A closing of a period. */
export const CommissionClosing = Schema.Struct({
  closing_id: ClosingId,
  partner_id: field(PartnerId, "The partner whose entries are closed"),
  period: field(Period, "The closed São Paulo month"),
  created_at: field(Timestamp, "When the period was first closed"),
  entries: field(Schema.Int, "The number of entries that this request closed", 4),
  amount: field(Amount, "The sum of the entries that this request closed", 110),
  complete: field(
    Schema.Boolean,
    "False if further entries are payable: a request closes at most 5 000, and none while 50 000 wait for a payout. " +
      "Record the payout if `entries` is 0, and send the request again.",
    true
  )
}).annotate({ identifier: "CommissionClosing", description: "A closed period of a partner" })
export type CommissionClosing = typeof CommissionClosing.Type

/** Maximum number of entries that one request closes, so that it ends in time. */
const maxClosedEntries = 5_000

/** The number of closed entries of a partner from which a payout must come first. */
const maxUnpaidEntries = 50_000

/**
 * A payout pays all closed entries of a partner in one transaction. So no further entries are closed while 50 000 or more
 * closed entries wait for a payout. If their sum is not positive, there is no payout, and this limit does not apply. A
 * request closes at most 5 000 entries. `closed` is null for the root, which receives no payout.
 * @rule COMM-27
 */
export const closingLimit = (closed: ClosedSum | null): number =>
  closed !== null && closed.amount > 0 && closed.entries >= maxUnpaidEntries ? 0 : maxClosedEntries

/**
 * A period can be closed once its month has ended in America/Sao_Paulo.
 * @rule COMM-22
 */
export const judgeClosing = (period: Period, present: Period): Result.Result<void, FieldProblem> =>
  period < present
    ? Result.void
    : Result.fail(fieldProblem("period", problem("OUT_OF_RANGE", { max: previousPeriod(present) })))

/** The request body that adjusts the balance of a partner. */
export const AdjustCommissionRequest = Schema.Struct({
  partner_id: field(PartnerId, "The partner, strictly below the caller's own"),
  amount: field(Reais, "The amount to add to the balance; negative to subtract, not 0", 50),
  note: field(textSchema({ min: 1, max: 500 }), "The reason, which the partner sees", "Bonus of November"),
  proposal_id: field(Schema.optionalKey(Schema.NullOr(Uuid)), "The contract that the adjustment is about")
}).annotate({ identifier: "AdjustCommissionRequest", description: "Request body that adjusts a balance" })
export type AdjustCommissionRequest = typeof AdjustCommissionRequest.Encoded
