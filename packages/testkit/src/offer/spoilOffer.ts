import { type OfferFault, type PricedInstallment, type PricedOffer } from "@lastro/domain/offer"
import {
  addDays,
  type CalendarDate,
  calendarDate,
  type Centavos,
  centavos,
  daysBetween,
  percent
} from "@lastro/domain/values"
import { type OfferedFor } from "./offerWithNet.ts"

/**
 * A fault that depends only on the terms of an offer. A rate above the limit is priced as such, an unlawful fee is a
 * `fee_kind` of the fee table, and a repeated registration depends on the other fees.
 */
export type SpoiledOffer = Exclude<OfferFault, "RATE_TOO_HIGH" | "FEE_NOT_STATED" | "REGISTRATION_REPEATED">

type Spoil = (terms: PricedOffer, offered: OfferedFor) => PricedOffer | undefined

const plus = (amount: Centavos, more: number): Centavos => centavos(amount + more)

/** Changes one instalment, by its index. Undefined if there is no such instalment. */
const withInstallment = (
  terms: PricedOffer,
  index: number,
  change: (installment: PricedInstallment) => Partial<PricedInstallment>
): PricedOffer | undefined =>
  terms.installments[index] === undefined ? undefined : {
    ...terms,
    installments: terms.installments.map((installment, position) =>
      position === index ? { ...installment, ...change(installment) } : installment
    )
  }

/** Sets the due date of an instalment, and its calendar days accordingly. */
const dueOn = (
  terms: PricedOffer,
  { released_on }: OfferedFor,
  index: number,
  due_date: CalendarDate | undefined
): PricedOffer | undefined =>
  due_date === undefined
    ? undefined
    : withInstallment(terms, index, () => ({ due_date, calendar_days: daysBetween(released_on, due_date) }))

const inYear = ({ due_date }: PricedInstallment, year: number): CalendarDate =>
  calendarDate(`${year}${due_date.slice(4)}`)

/** In percent a month. */
const wrongRate = 99

/**
 * Returns whether the instalments are worth clearly less than the principal at a monthly rate in percent. Instalments
 * of a few centavos never are.
 */
const isWorthLess = ({ installments, principal_amount }: PricedOffer, rate: number): boolean => {
  const values = installments.map(({ amount, calendar_days }) => amount / (1 + rate / 100) ** (calendar_days / 30))
  return principal_amount - values.reduce((sum, value) => sum + value, 0) > Math.max(2, principal_amount / 100)
}

const spoils: Readonly<Record<SpoiledOffer, Spoil>> = {
  COSTS_TOO_HIGH: (terms) => ({
    ...terms,
    fee_amount: plus(terms.fee_amount, terms.net_amount),
    net_amount: centavos(0)
  }),
  AGAINST_POLICY: (terms, { policy: { max_installment } }) =>
    max_installment === null ? undefined : withInstallment(
      { ...terms, gross_amount: plus(terms.gross_amount, max_installment) },
      0,
      ({ amount, interest_amount }) => ({
        amount: plus(amount, max_installment),
        interest_amount: plus(interest_amount, max_installment)
      })
    ),
  // The terms are unchanged, because `quotationFor` makes this fault: it ignores the requested maximum.
  TOO_MANY_INSTALLMENTS: (terms) => terms,
  WRONG_SUM: (terms) => ({ ...terms, gross_amount: plus(terms.gross_amount, 1) }),
  NEGATIVE_AMOUNT: (terms) => ({
    ...terms,
    fee_amount: centavos(-1),
    net_amount: plus(terms.net_amount, terms.fee_amount + 1)
  }),
  NOT_NUMBERED: (terms) => withInstallment(terms, 0, () => ({ number: 0 })),
  DUE_TOO_EARLY: (terms, offered) =>
    dueOn(terms, offered, 0, terms.installments[0] && inYear(terms.installments[0], 2001)),
  DUE_TOO_LATE: (terms, offered) => {
    const last = terms.installments.at(-1)
    return dueOn(terms, offered, terms.installments.length - 1, last && inYear(last, 2190))
  },
  NOT_ASCENDING: (terms, offered) => dueOn(terms, offered, 1, terms.installments[0]?.due_date),
  // Moves the due date of the last instalment by as many years as the policy allows instalments.
  NOT_NEXT: (terms, offered) => {
    const last = terms.installments.at(-1)
    const { max_installments, next_only } = offered.policy
    if (!next_only || last === undefined) return undefined
    const due_date = inYear(last, Number(last.due_date.slice(0, 4)) + max_installments)
    return dueOn(terms, offered, terms.installments.length - 1, due_date)
  },
  OUTSIDE_BIRTH_MONTH: (terms, offered) =>
    dueOn(terms, offered, 0, terms.installments[0] && addDays(terms.installments[0].due_date, 31)),
  TWO_IN_ONE_YEAR: (terms, offered) =>
    dueOn(terms, offered, 1, terms.installments[0] && addDays(terms.installments[0].due_date, 10)),
  WRONG_DAYS: (terms) => withInstallment(terms, 0, ({ calendar_days }) => ({ calendar_days: calendar_days + 1 })),
  WRONG_CET: (terms) => ({ ...terms, monthly_cet: percent(Number((terms.monthly_cet + 1).toFixed(2))) }),
  WRONG_RATE: (terms) => isWorthLess(terms, wrongRate) ? { ...terms, monthly_rate: percent(wrongRate) } : undefined,
  // Moves the principal of the first instalment and one centavo more to the second. All other sums stay right.
  NEGATIVE_PRINCIPAL: (terms) => {
    const moved = (terms.installments[0]?.principal_amount ?? 0) + 1
    const second = withInstallment(terms, 1, ({ interest_amount, principal_amount }) => ({
      interest_amount: plus(interest_amount, -moved),
      principal_amount: plus(principal_amount, moved)
    }))
    return second && withInstallment(second, 0, ({ amount }) => ({
      interest_amount: plus(amount, 1),
      principal_amount: centavos(-1)
    }))
  }
}

/** All faults that {@link spoilOffer} can make. */
export const spoiledOffers = Object.keys(spoils) as ReadonlyArray<SpoiledOffer>

/**
 * Adds a fault to lawful terms. Undefined if these terms cannot have it. Examples: one instalment is never in the wrong
 * order, a policy without a maximum amount cannot be exceeded, and a few centavos have the same value at any rate.
 */
export const spoilOffer = (fault: SpoiledOffer, terms: PricedOffer, offered: OfferedFor): PricedOffer | undefined =>
  spoils[fault](terms, offered)
