import {
  annualRate,
  discountInstallments,
  type DueAmount,
  type LoanFee,
  type Offer,
  pricedInstallments,
  type PricedOffer,
  totalEffectiveCost
} from "@lastro/domain/offer"
import {
  type CalendarDate,
  type Centavos,
  centavos,
  centavosHalfUp,
  daysBetween,
  fractionOf,
  parseCalendarDate,
  type Percent,
  percent,
  reaisOf,
  sumCentavos
} from "@lastro/domain/values"
import { Result } from "effect"
import { at, listAt, numberAt, textAt } from "./json.ts"
import { decodeRef } from "./lenderRef.ts"
import { dateAt } from "./payments.ts"
import { type QitechFine, type QitechTerms } from "./QitechOptions.ts"

/** The instalments to price, and the days of the contract. */
export interface LoanPlan extends QitechTerms {
  /** The release day of the quote. */
  readonly released_on: CalendarDate
  /** The business day on which QI Tech pays. */
  readonly disbursed_on: CalendarDate
  readonly installments: ReadonlyArray<DueAmount>
  readonly fine: QitechFine
}

/** Converts a fee to QI Tech's `rebates`. Percentages are fractions, like all rates of QI Tech. */
const rebatesOf = (fee: LoanFee) => {
  switch (fee.kind) {
    case "none":
      return []
    case "fixed":
      return [{ fee_type: "tac", amount_type: "absolute", amount: reaisOf(fee.amount) }]
    case "percent":
      return [{ fee_type: "tac", amount_type: "percentage", amount: fractionOf(fee.percent) }]
  }
}

/** Builds the financial object of a simulation or an issue. */
export const financialOf = ({ disbursed_on, fee, fine, installments, monthly_rate }: LoanPlan) => ({
  interest_type: "pre_price_days",
  credit_operation_type: "ccb",
  monthly_interest_rate: fractionOf(monthly_rate),
  disbursement_date: disbursed_on,
  issue_date: disbursed_on,
  interest_grace_period: 0,
  principal_grace_period: 0,
  number_of_installments: installments.length,
  desired_installments: installments.map(({ amount, due_date }) => ({ due_date, total_amount: reaisOf(amount) })),
  fine_configuration: { ...fine, interest_base: "calendar_days" },
  rebates: rebatesOf(fee)
})

/** Reads an amount in reais. QI Tech computes with eight decimals. The result is rounded half up to the centavo. */
const amountAt = (data: unknown, name: string): Centavos | null => {
  const reais = numberAt(data, name)
  if (reais === null || Math.abs(reais) > 1e9) return null
  return reais < 0 ? centavos(-centavosHalfUp(-reais)) : centavosHalfUp(reais)
}

/** Reads a percentage with two decimals: a number, or a text such as `0,6200%`. */
const percentAt = (data: unknown, name: string): Percent | null => {
  const text = textAt(data, name)
  const value = text === null ? numberAt(data, name) : Number(text.replace("%", "").replace(",", ".").trim())
  return value === null || !Number.isFinite(value) || value < 0 || value >= 1e6
    ? null
    : percent(Math.round(value * 100) / 100)
}

/** Reads the instalments that QI Tech priced. Null if there are none, or if one cannot be read. */
export const installmentsOf = (data: unknown): ReadonlyArray<DueAmount> | null => {
  const list = listAt(data, "installments")
  const installments = list.flatMap((item): ReadonlyArray<DueAmount> => {
    const due_date = Result.getOrElse(parseCalendarDate(textAt(item, "due_date") ?? ""), () => null)
    const amount = amountAt(item, "total_amount")
    return amount === null || due_date === null ? [] : [{ due_date, amount }]
  })
  return installments.length === 0 || installments.length !== list.length ? null : installments
}

/** The reason why a simulation is unusable: the response cannot be read, or contradicts the request. */
export type UnreadableTerms = "UNREADABLE" | "OTHER_INSTALLMENTS" | "OTHER_FEES"

/** The largest rounding difference of a fee, in centavos. */
const feeTolerance = 2

/** Rounds a cost to a percentage with two decimals. */
const rounded = (cost: number) => percent(Math.max(Math.round(cost * 10_000), 0) / 100)

/**
 * Returns the CET from the release day, as in all offers of Lastro. If QI Tech pays on a later business day, its own
 * CET counts from that day and is slightly higher. For a short loan with a high fee, the difference exceeds the
 * tolerance of Lastro's rule.
 */
const costFromRelease = (
  stated: Pick<PricedOffer, "monthly_cet" | "annual_cet">,
  net: Centavos,
  { disbursed_on, installments, released_on }: LoanPlan
): Pick<PricedOffer, "monthly_cet" | "annual_cet"> => {
  if (disbursed_on === released_on) return stated
  const payments = installments.map(({ amount, due_date }) => ({
    amount,
    years: daysBetween(released_on, due_date) / 365
  }))
  return Result.match(totalEffectiveCost(net, payments), {
    onFailure: () => stated,
    onSuccess: ({ annual, monthly }) => ({ monthly_cet: rounded(monthly), annual_cet: rounded(annual) })
  })
}

/**
 * Returns whether an amount equals the fee of the fee table. If not, the offer has a cost that was not agreed, such as
 * insurance.
 */
const isAgreedFee = (amount: number, fee: LoanFee, principal: Centavos): boolean =>
  Math.abs(amount - agreedFee(fee, principal)) <= feeTolerance

const agreedFee = (fee: LoanFee, principal: Centavos): number => {
  if (fee.kind === "none") return 0
  return fee.kind === "fixed" ? fee.amount : principal * fractionOf(fee.percent)
}

const sameInstallments = (a: ReadonlyArray<DueAmount>, b: ReadonlyArray<DueAmount>): boolean =>
  a.length === b.length &&
  a.every(({ amount, due_date }, index) => b[index]?.amount === amount && b[index]?.due_date === due_date)

/**
 * Reads the terms of an offer from the response to a simulation. Principal, net amount, IOF and CET are QI Tech's,
 * rounded to the centavo. The daily IOF is the total IOF minus the additional IOF. The fee is the principal minus the
 * IOF and the net amount, and must equal the fee of the table.
 *
 * Lastro divides the principal among the instalments with its own method. QI Tech's method does not fit: it keeps one
 * running balance, in which a small first instalment can have a negative principal.
 */
export const termsOf = (data: unknown, plan: LoanPlan): Result.Result<PricedOffer, UnreadableTerms> => {
  const installments = installmentsOf(data)
  const principal = amountAt(data, "issue_amount")
  const net = amountAt(data, "disbursed_issue_amount") ?? amountAt(data, "disbursed_amount")
  const iof = amountAt(data, "total_iof")
  const additional = amountAt(data, "additional_iof")
  const monthly_cet = percentAt(data, "cet")
  const annual_cet = percentAt(data, "annual_cet")
  if (
    installments === null || principal === null || net === null || iof === null || additional === null ||
    monthly_cet === null || annual_cet === null
  ) return Result.fail("UNREADABLE")
  if (!sameInstallments(installments, plan.installments)) return Result.fail("OTHER_INSTALLMENTS")
  if (!isAgreedFee(principal - iof - net, plan.fee, principal)) return Result.fail("OTHER_FEES")
  return Result.mapBoth(discountInstallments({ ...plan, installments }), {
    onFailure: () => "UNREADABLE" as const,
    onSuccess: (discounted) => ({
      gross_amount: sumCentavos(installments.map(({ amount }) => amount)),
      principal_amount: principal,
      iof_daily_amount: centavos(iof - additional),
      iof_additional_amount: additional,
      iof_amount: iof,
      fee_amount: centavos(principal - iof - net),
      net_amount: net,
      monthly_rate: plan.monthly_rate,
      annual_rate: annualRate(plan.monthly_rate),
      ...costFromRelease({ monthly_cet, annual_cet }, net, plan),
      installments: pricedInstallments(plan.monthly_rate, discounted, principal)
    })
  })
}

/**
 * The amounts that are compared with the accepted offer. They change if the loan is paid on another day. The CET is not
 * compared, because the CET of an offer always counts from the release day.
 */
const totals = ["principal_amount", "iof_amount", "fee_amount", "net_amount"] as const

/**
 * Returns the terms of an issued loan if they differ from the accepted offer, because the loan is paid on another day.
 * Null if they are equal or cannot be read.
 */
export const otherTermsOf = (
  data: unknown,
  { lender_ref, terms: accepted }: Pick<Offer, "lender_ref" | "terms">,
  fine: QitechFine
): PricedOffer | null => {
  const ref = decodeRef(lender_ref)
  const date = dateAt(data, "disbursement_date")
  if (ref === null || date === null) return null
  const installments = accepted.installments.map(({ amount, due_date }) => ({ amount, due_date }))
  const issued = Result.getOrElse(
    termsOf(data, { ...ref, fine, installments, released_on: date, disbursed_on: date }),
    () => null
  )
  return issued === null || totals.every((name) => issued[name] === accepted[name]) ? null : issued
}

/** Returns the data of a response: its property `data`, or else the response itself. */
export const dataOf = (answer: unknown): unknown => at(answer, "data") ?? answer
