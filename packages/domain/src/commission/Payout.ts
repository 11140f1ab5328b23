import { Result, Schema } from "effect"
import { field } from "../input/field.ts"
import { type FieldProblem, fieldProblem, problem, ValidationFailed } from "../input/FieldProblem.ts"
import { pageSchema } from "../input/Page.ts"
import { Refusal } from "../input/Refusal.ts"
import { textSchema } from "../input/Text.ts"
import { failsWith } from "../input/textParser.ts"
import { Amount } from "../values/Amount.ts"
import { type Centavos, Reais, reaisOf, subtractCentavos } from "../values/Centavos.ts"
import { PartnerId } from "../values/ids.ts"
import { timestamp } from "../values/parseTimestamp.ts"
import { millisOf, Timestamp } from "../values/Timestamp.ts"
import { Uuid } from "../values/Uuid.ts"
import { PayoutId } from "./CommissionEntry.ts"
import { type ClosedSum } from "./CommissionSettlement.ts"
import { Period } from "./period.ts"

/** The partner has no closed commissions, or their sum is not positive. */
export class NothingToPay extends Refusal(
  "NothingToPay",
  "The closed commissions of the partner up to the period do not add up to more than 0."
) {}

/** The taxes that can be withheld. */
const WithheldKind = Schema.Literals(["IRRF", "ISS", "INSS", "OTHER"]).annotate({
  description: "The kind of a withheld tax"
})

const positive = Reais.check(Schema.isGreaterThan(0, failsWith(problem("OUT_OF_RANGE", { min: 0.01 }))))

/** Maximum number of withheld amounts of a payout. */
const maxWithheld = 20

/** The request body that records a payout. */
export const CreatePayoutRequest = Schema.Struct({
  partner_id: field(PartnerId, "The partner that is paid, strictly below the caller's own"),
  period: field(Period, "The last São Paulo month whose closed entries are paid", "2026-11"),
  amount: field(positive, "The gross amount: the sum of the closed entries up to the period", 110),
  withheld: field(
    Schema.optionalKey(
      Schema.Array(Schema.Struct({ kind: WithheldKind, amount: positive })).check(
        Schema.isMaxLength(maxWithheld, failsWith(problem("TOO_LONG", { max_items: maxWithheld })))
      )
    ),
    "The taxes that were withheld, together at most `amount`. They are recorded, not computed.",
    [{ kind: "ISS", amount: 5.5 }]
  ),
  reference: field(textSchema({ min: 1, max: 100 }), "Your reference of the payment", "TED 4711"),
  paid_at: field(timestamp, "When the amount was paid")
}).annotate({ identifier: "CreatePayoutRequest", description: "Request body that records a payout of commissions" })
export type CreatePayoutRequest = typeof CreatePayoutRequest.Encoded
type Requested = typeof CreatePayoutRequest.Type

/** A payout as it is stored. Amounts are in centavos. */
export interface StoredPayout {
  readonly payout_id: PayoutId
  readonly partner_id: PartnerId
  /** The partners that see the payout: the payee, the payer and those above the payer. */
  readonly viewers: ReadonlyArray<PartnerId>
  readonly period: Period
  readonly amount: Centavos
  readonly withheld: ReadonlyArray<{ readonly kind: typeof WithheldKind.Type; readonly amount: Centavos }>
  readonly net_amount: Centavos
  readonly reference: string
  readonly paid_at: Timestamp
  readonly created_at: Timestamp
}

/** A payout of commissions. */
export const CommissionPayout = Schema.Struct({
  payout_id: PayoutId,
  partner_id: field(PartnerId, "The partner that was paid"),
  period: field(Period, "The last São Paulo month whose closed entries were paid"),
  amount: field(Amount, "The gross amount", 110),
  withheld: field(
    Schema.Array(Schema.Struct({ kind: WithheldKind, amount: Amount })),
    "The taxes that were withheld",
    [{ kind: "ISS", amount: 5.5 }]
  ),
  net_amount: field(Amount, "The gross amount less the withheld taxes", 104.5),
  reference: field(Schema.String, "The payer's reference of the payment", "TED 4711"),
  paid_at: field(Timestamp, "When the amount was paid"),
  created_at: field(Timestamp, "When the payout was recorded")
}).annotate({ identifier: "CommissionPayout", description: "A payout of commissions to a partner" })
export type CommissionPayout = typeof CommissionPayout.Type

/** A page of payouts. */
export const PayoutsPage = pageSchema(CommissionPayout, "CommissionPayoutsPage")

/** Returns a payout as the API shows it. */
export const publicPayout = ({ viewers: _, ...payout }: StoredPayout): CommissionPayout => ({
  ...payout,
  amount: reaisOf(payout.amount),
  net_amount: reaisOf(payout.net_amount),
  withheld: payout.withheld.map(({ amount, kind }) => ({ kind, amount: reaisOf(amount) }))
})

/**
 * The taxes that are withheld from a payout are together at most its amount. The rest is the net amount.
 * @rule COMM-20
 */
export const netAmountOf = (
  { amount, withheld = [] }: Pick<Requested, "amount" | "withheld">
): Result.Result<Centavos, ValidationFailed> => {
  // A plain sum, because the amounts of a caller together can exceed the bounds of an amount.
  const kept = withheld.reduce((sum, one) => sum + one.amount, 0)
  return kept > amount
    ? Result.fail(
      new ValidationFailed({
        problems: [fieldProblem("withheld", problem("OUT_OF_RANGE", { max: reaisOf(amount) }))]
      })
    )
    : Result.succeed(subtractCentavos(amount, kept as Centavos))
}

/**
 * A payout pays exactly the closed entries of a partner up to a period. If they do not add up to more than 0, there is
 * nothing to pay. A payout with another amount than their sum is refused. This is judged last.
 * @rule COMM-21
 */
export const judgePayout = (
  amount: Centavos,
  closed: Centavos
): Result.Result<void, NothingToPay | ValidationFailed> =>
  closed <= 0
    ? Result.fail(new NothingToPay())
    : amount === closed
    ? Result.void
    : Result.fail(new ValidationFailed({ problems: [fieldProblem("amount", problem("MISMATCH"))] }))

/** The id of a closing. */
export const ClosingId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The closing's id", examples: ["0197f3a3-28e9-7a1b-95b7-c8d9e0f10213"] }),
  Schema.brand("ClosingId")
)
export type ClosingId = typeof ClosingId.Type

/** The request body that closes a period. */
export const CloseCommissionsRequest = Schema.Struct({
  period: field(Period, "The São Paulo month to close, which must have ended", "2026-10"),
  partner_id: field(PartnerId, "The partner, strictly below the caller's own, or the caller's own root")
}).annotate({ identifier: "CloseCommissionsRequest", description: "Request body that closes a period of a partner" })
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

/** Maximum number of entries that a request closes, so that it ends in time. */
const maxClosedEntries = 5_000

/** The number of closed entries of a partner from which a payout must come first. */
const maxUnpaidEntries = 50_000

/**
 * A payout pays all closed entries of a partner in one transaction. So while 50 000 or more can be paid, a closing closes
 * no further ones. Closed entries that add up to nothing to pay do not count, and neither do those of the root, which
 * receives no payout. Otherwise a request closes at most 5 000 entries.
 * @rule COMM-27
 */
export const closingLimit = ({ amount, entries }: ClosedSum, { isRoot }: { readonly isRoot: boolean }): number =>
  !isRoot && amount > 0 && entries >= maxUnpaidEntries ? 0 : maxClosedEntries

/**
 * A period can be closed once its São Paulo month has ended.
 * @rule COMM-22
 */
export const judgeClosing = (period: Period, present: Period): Result.Result<void, ValidationFailed> =>
  period < present
    ? Result.void
    : Result.fail(
      new ValidationFailed({ problems: [fieldProblem("period", problem("OUT_OF_RANGE"))] })
    )

/** The request body that adjusts the balance of a partner. */
export const AdjustCommissionRequest = Schema.Struct({
  partner_id: field(PartnerId, "The partner, strictly below the caller's own"),
  amount: field(Reais, "The amount to add to the balance; negative to subtract, not 0", 50),
  note: field(textSchema({ min: 1, max: 500 }), "The reason, which the partner sees", "Bonus of November"),
  proposal_id: field(Schema.optionalKey(Schema.NullOr(Uuid)), "The contract that the adjustment is about")
}).annotate({ identifier: "AdjustCommissionRequest", description: "Request body that adjusts a balance" })
export type AdjustCommissionRequest = typeof AdjustCommissionRequest.Encoded

/** Tolerated difference between the clocks of the API consumer and this node, in milliseconds. */
const clockTolerance = 5 * 60_000

/** A payment that is recorded is not in the future. */
export const judgePaidAt = (paid_at: Timestamp, at: Timestamp): Result.Result<void, FieldProblem> =>
  millisOf(paid_at) > millisOf(at) + clockTolerance
    ? Result.fail(fieldProblem("paid_at", problem("OUT_OF_RANGE", { max: at })))
    : Result.void
