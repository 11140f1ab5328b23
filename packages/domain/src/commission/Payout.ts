import { Result, Schema } from "effect"
import { field } from "../input/field.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { pageSchema } from "../input/Page.ts"
import { Refusal } from "../input/Refusal.ts"
import { textSchema } from "../input/Text.ts"
import { failsWith } from "../input/textParser.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { Amount } from "../values/Amount.ts"
import { calendarDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { type Centavos, PositiveReais, reaisOf, subtractCentavos } from "../values/Centavos.ts"
import { PartnerId } from "../values/ids.ts"
import { timestamp } from "../values/parseTimestamp.ts"
import { clockToleranceMs, millisOf, Timestamp } from "../values/Timestamp.ts"
import { PayoutId } from "./CommissionEntry.ts"
import { Period } from "./period.ts"

/** The partner has no closed commissions, or their sum is not positive. */
export class NothingToPay extends Refusal(
  "NothingToPay",
  "The closed commissions of the partner up to the period do not add up to more than 0."
) {}

const WithheldKind = Schema.Literals(["IRRF", "ISS", "INSS", "OTHER"]).annotate({
  description: "The kind of a withheld tax"
})

/** Maximum number of withheld amounts of a payout. */
const maxWithheld = 20

/** The request body that records a payout. */
export const CreatePayoutRequest = Schema.Struct({
  partner_id: field(PartnerId, "The partner that is paid, strictly below the caller's own"),
  period: field(Period, "The last São Paulo month whose closed entries are paid", "2026-11"),
  amount: field(PositiveReais, "The gross amount: the sum of the closed entries up to the period", 110),
  withheld: field(
    Schema.optionalKey(
      Schema.Array(Schema.Struct({ kind: WithheldKind, amount: PositiveReais })).check(
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
  /** The partners that can see the payout: the payee, the payer, and the partners above the payer. */
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

/** Returns a payout in its form in responses. */
export const publicPayout = ({ viewers: _, ...payout }: StoredPayout): CommissionPayout => ({
  ...payout,
  amount: reaisOf(payout.amount),
  net_amount: reaisOf(payout.net_amount),
  withheld: payout.withheld.map(({ amount, kind }) => ({ kind, amount: reaisOf(amount) }))
})

/**
 * The taxes withheld from a payout are together at most its amount. The rest is the net amount.
 * @rule COMM-20
 */
export const netAmountOf = (
  { amount, withheld = [] }: Pick<Requested, "amount" | "withheld">
): Result.Result<Centavos, FieldProblem> => {
  // A plain sum, because the caller's amounts together can exceed the bounds of `Centavos`.
  const taxes = withheld.reduce((sum, tax) => sum + tax.amount, 0)
  return taxes > amount
    ? Result.fail(fieldProblem("withheld", problem("OUT_OF_RANGE", { max: reaisOf(amount) })))
    : Result.succeed(subtractCentavos(amount, taxes as Centavos))
}

/**
 * A payout pays exactly the closed entries of a partner up to a period. If their sum is not positive, there is nothing
 * to pay. A payout of any other amount is refused. This check comes last.
 * @rule COMM-21
 */
export const judgePayout = (
  amount: Centavos,
  closed: Centavos
): Result.Result<void, NothingToPay | ValidationFailed> => {
  if (closed <= 0) return Result.fail(new NothingToPay())
  return amount === closed
    ? Result.void
    : Result.fail(new ValidationFailed({ problems: [fieldProblem("amount", problem("MISMATCH"))] }))
}

/** A recorded payment must not be in the future, and its day in America/Sao_Paulo must not be before 1900. */
export const judgePaidAt = (paid_at: Timestamp, at: Timestamp): Result.Result<void, FieldProblem> => {
  if (millisOf(paid_at) > millisOf(at) + clockToleranceMs) {
    return Result.fail(fieldProblem("paid_at", problem("OUT_OF_RANGE", { max: at })))
  }
  const earliest = saoPauloMidnight(calendarDate("1900-01-01"))
  return paid_at < earliest
    ? Result.fail(fieldProblem("paid_at", problem("OUT_OF_RANGE", { min: earliest })))
    : Result.void
}
