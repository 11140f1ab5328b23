import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { fgtsPolicies, policyOn } from "../../src/offer/FgtsPolicy.ts"
import { availableInstallments } from "../../src/offer/installments.ts"
import { judgeLenderOffer, type OfferConditions } from "../../src/offer/judgeLenderOffer.ts"
import { latestReleaseDay } from "../../src/offer/judgeSchedule.ts"
import { type FeeKind, feeKindOf } from "../../src/offer/Offer.ts"
import { type OfferFault, offerFaults, UnlawfulOffer } from "../../src/offer/OfferFault.ts"
import { type PricedInstallment, type PricedOffer } from "../../src/offer/PricedOffer.ts"
import { priceOffer } from "../../src/offer/priceOffer.ts"
import { reduceToDesired } from "../../src/offer/reduceToDesired.ts"
import { addDays, calendarDate, daysBetween } from "../../src/values/CalendarDate.ts"
import { type Centavos, centavos, maxCentavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"
import { customer, lenderOffer, noWish } from "../loan/examples.ts"
import { fees, rates, releases } from "./offers.ts"

const released_on = calendarDate("2026-01-31")
const conditions: OfferConditions = { customer, released_on, policy: policyOn(released_on), wish: noWish }
const validOffer = lenderOffer("standard", { fee: 10_00 }).terms

/** `accepted`, or the fault of the offer. */
const verdict = (terms: PricedOffer, changes: Partial<OfferConditions> = {}): OfferFault | "accepted" =>
  Result.match(judgeLenderOffer({ ...conditions, ...changes }, terms), {
    onSuccess: () => "accepted",
    onFailure: ({ fault }) => fault
  })

const withLimit = (rate: number): Pick<OfferConditions, "policy"> => ({
  policy: { ...conditions.policy, max_monthly_rate: percent(rate) }
})

const amounts = [
  "gross_amount",
  "principal_amount",
  "iof_daily_amount",
  "iof_additional_amount",
  "iof_amount",
  "fee_amount",
  "net_amount"
] as const
const parts = ["amount", "principal_amount", "interest_amount"] as const

const plus = (amount: Centavos, more: number): Centavos => (amount + more) as Centavos

/** The valid offer with other amounts, of the total and of the first instalment. */
const withAmounts = (
  whole: Partial<Record<typeof amounts[number], number>>,
  part: Partial<Record<typeof parts[number], number>> = {}
): PricedOffer => ({
  ...validOffer,
  ...Object.fromEntries(amounts.map((name) => [name, plus(validOffer[name], whole[name] ?? 0)])),
  installments: validOffer.installments.map((installment, index) =>
    index > 0 ? installment : {
      ...installment,
      ...Object.fromEntries(parts.map((name) => [name, plus(installment[name], part[name] ?? 0)]))
    }
  )
})

/** The valid offer with changed instalments. */
const withInstallments = (...changes: ReadonlyArray<Partial<PricedInstallment>>): PricedOffer => ({
  ...validOffer,
  installments: validOffer.installments.map((installment, index) => ({ ...installment, ...changes[index] }))
})

/** The change that moves an instalment to another due date. */
const dueOn = (text: string): Partial<PricedInstallment> => {
  const due_date = calendarDate(text)
  return { due_date, calendar_days: daysBetween(released_on, due_date) }
}

/** Prices instalments on any due dates. */
const pricedOn = (dates: ReadonlyArray<string>, monthly_rate = 1.8): PricedOffer =>
  Result.getOrThrow(priceOffer({
    released_on,
    monthly_rate: percent(monthly_rate),
    fee: { kind: "none" },
    installments: dates.map((date) => ({ due_date: calendarDate(date), amount: centavos(500_00) }))
  }))

const ownOffers = fc.record({
  released_on: releases,
  birth_date: fc.nat({ max: 29_000 }).map((days) => addDays(calendarDate("1926-01-01"), days)),
  policy: fc.constantFrom(...fgtsPolicies),
  balance: fc.oneof(fc.integer({ min: 1, max: 30_000_00 }), fc.integer({ min: 1, max: 500 })).map(centavos),
  max_installments: fc.option(fc.integer({ min: 1, max: 10 })),
  desired_amount: fc.option(fc.integer({ min: 1, max: 2_000_00 }).map(centavos)),
  monthly_rate: rates,
  fee: fees
})

describe("judgeLenderOffer", () => {
  it("LENDER-14 every offer that the domain prices is lawful, whatever the customer, day, policy, rate and fee", () => {
    let priced = 0
    fc.assert(
      fc.property(ownOffers, ({ balance, birth_date, desired_amount, fee, monthly_rate, ...rest }) => {
        const { max_installments, policy, released_on } = rest
        const installments = availableInstallments({ balance, birth_date, ...rest })
        const terms = { released_on, monthly_rate, fee, installments }
        const offer = Result.flatMap(reduceToDesired(terms, desired_amount, policy.min_installment), priceOffer)
        if (Result.isFailure(offer)) return
        priced++
        const wish = { max_installments }
        const limited = { ...policy, max_monthly_rate: monthly_rate }
        const all = { customer: { birth_date }, policy: limited, released_on, wish }
        assert.strictEqual(verdict(offer.success, all), "accepted")
      }),
      { numRuns: examples(2_000) }
    )
    assert.isAbove(priced, examples(500))
  })

  it("LENDER-14 due dates in 2001 and 2190, a CET of 0 and 99 % a month are unlawful", () => {
    assert.strictEqual(verdict(validOffer), "accepted")
    assert.strictEqual(verdict(withInstallments(dueOn("2001-05-01"))), "DUE_TOO_EARLY")
    assert.strictEqual(verdict(withInstallments({}, {}, dueOn("2190-05-01"))), "DUE_TOO_LATE")
    assert.strictEqual(verdict(pricedOn(["2026-05-01", "2190-05-01"])), "DUE_TOO_LATE")
    assert.strictEqual(verdict({ ...validOffer, monthly_cet: percent(0), annual_cet: percent(0) }), "WRONG_CET")
    assert.strictEqual(verdict({ ...validOffer, monthly_rate: percent(99) }), "WRONG_RATE")
  })

  it("LENDER-14 every fault has a rule, and a detail for the log; the customer sees a rejection without them", () => {
    for (const fault of offerFaults) {
      const { detail, rejection, rule } = new UnlawfulOffer({ fault })
      assert.match(rule, /^(FGTS|POLICY)-\d\d$/)
      assert.isNotEmpty(detail)
      assert.strictEqual(rejection.code, fault === "COSTS_TOO_HIGH" ? "FEES_EXCEED_PRINCIPAL" : "LENDER_POLICY")
      assert.notInclude(rejection.message, rule)
    }
  })

  it("FGTS-16 T49 rejects any amount that is off by one centavo", () => {
    for (const by of [-1, 1, -10_000, 10_000, 0.5]) {
      for (const name of amounts) assert.notStrictEqual(verdict(withAmounts({ [name]: by })), "accepted", name)
      for (const name of parts) assert.notStrictEqual(verdict(withAmounts({}, { [name]: by })), "accepted", name)
    }
    for (const name of amounts) assert.strictEqual(verdict(withAmounts({ [name]: 1 })), "WRONG_SUM", name)
    for (const name of parts) assert.strictEqual(verdict(withAmounts({}, { [name]: 1 })), "WRONG_SUM", name)
  })

  it("FGTS-16 T49 rejects consistent amounts with a negative part, or with more principal than repayment", () => {
    const { fee_amount, iof_additional_amount, iof_daily_amount } = validOffer
    const fee = fee_amount + 1
    const additional = iof_additional_amount + 1
    const daily = iof_daily_amount + 1
    const interest = validOffer.gross_amount - validOffer.principal_amount + 1
    const more = { net_amount: interest, principal_amount: interest }
    for (
      const terms of [
        withAmounts({ fee_amount: -fee, net_amount: fee }),
        withAmounts({ iof_additional_amount: -additional, iof_daily_amount: additional }),
        withAmounts({ iof_additional_amount: daily, iof_daily_amount: -daily }),
        withAmounts(more, { principal_amount: interest, interest_amount: -interest })
      ]
    ) assert.strictEqual(verdict(terms), "NEGATIVE_AMOUNT")
  })

  it("FGTS-16 rejects an offer whose costs consume the principal", () => {
    const { net_amount } = validOffer
    assert.strictEqual(verdict(withAmounts({ fee_amount: net_amount, net_amount: -net_amount })), "COSTS_TOO_HIGH")
    assert.strictEqual(verdict(withAmounts({ net_amount: -2 * net_amount })), "COSTS_TOO_HIGH")
    const judged = judgeLenderOffer(conditions, withAmounts({ fee_amount: net_amount, net_amount: -net_amount }))
    assert.strictEqual(Result.isFailure(judged) ? judged.failure.rejection.code : "", "FEES_EXCEED_PRINCIPAL")
  })

  it("FGTS-16 POLICY-07 T50 rejects instalments out of the policy's bounds, too many or none", () => {
    const of = (...given: ReadonlyArray<number>) => lenderOffer("a", { amounts: given }).terms
    assert.strictEqual(verdict(of(500_00, 100_00)), "accepted")
    assert.strictEqual(verdict(of(500_01, 100_00)), "AGAINST_POLICY")
    assert.strictEqual(verdict(of(500_00, 99_99)), "AGAINST_POLICY")
    assert.strictEqual(verdict(of(100_00, 100_00, 100_00, 100_00, 100_00)), "accepted")
    assert.strictEqual(verdict(of(100_00, 100_00, 100_00, 100_00, 100_00, 100_00)), "AGAINST_POLICY")
    assert.strictEqual(verdict({ ...validOffer, installments: [] }), "AGAINST_POLICY")
    assert.strictEqual(verdict(of(300_00, 200_00), { wish: { max_installments: 10 } }), "accepted")
    assert.strictEqual(verdict(of(300_00, 200_00), { wish: { max_installments: 1 } }), "TOO_MANY_INSTALLMENTS")
  })

  it("FGTS-38 any day of the birth month is lawful, and a year can be left out", () => {
    assert.strictEqual(verdict(pricedOn(["2026-05-31", "2027-05-01", "2028-05-17"])), "accepted")
    assert.strictEqual(verdict(pricedOn(["2027-05-01", "2030-05-01"])), "accepted")
    const old = { policy: policyOn(calendarDate("2025-10-31")) }
    assert.strictEqual(
      verdict(pricedOn(["2046-01-31"]), { ...old, customer: { birth_date: calendarDate("1990-01-02") } }),
      "accepted"
    )
    assert.strictEqual(
      verdict(pricedOn(["2046-02-01"]), { ...old, customer: { birth_date: calendarDate("1990-02-28") } }),
      "DUE_TOO_LATE"
    )
    assert.strictEqual(
      verdict(pricedOn(["2026-02-01"]), { customer: { birth_date: calendarDate("1990-02-28") } }),
      "accepted"
    )
  })

  it("FGTS-38 rejects a schedule that is not one of annual withdrawals", () => {
    assert.strictEqual(verdict(pricedOn(["2026-05-01", "2026-05-02"])), "TWO_IN_ONE_YEAR")
    assert.strictEqual(verdict(pricedOn(["2026-04-30", "2027-05-01"])), "OUTSIDE_BIRTH_MONTH")
    assert.strictEqual(verdict(pricedOn(["2026-05-01", "2027-06-01"])), "OUTSIDE_BIRTH_MONTH")
    assert.strictEqual(verdict(withInstallments({ number: 2 })), "NOT_NUMBERED")
    assert.strictEqual(verdict(withInstallments({ number: 2 }, { number: 1 })), "NOT_NUMBERED")
    assert.strictEqual(verdict(withInstallments(dueOn("2027-05-01"), dueOn("2027-05-01"))), "NOT_ASCENDING")
    assert.strictEqual(verdict(withInstallments(dueOn("2028-05-01"), dueOn("2026-05-01"))), "NOT_ASCENDING")
    assert.strictEqual(verdict(withInstallments({}, {}, { calendar_days: 1 })), "WRONG_DAYS")
    assert.strictEqual(verdict(validOffer, { released_on: addDays(released_on, 1) }), "WRONG_DAYS")
    const january = { customer: { birth_date: calendarDate("1990-01-02") } }
    assert.strictEqual(verdict(withInstallments(dueOn("2026-01-31")), january), "DUE_TOO_EARLY")
    for (const text of ["2026-05-32", "not a date", ""]) {
      assert.notStrictEqual(verdict(withInstallments({ due_date: text as PricedInstallment["due_date"] })), "accepted")
    }
  })

  it("FGTS-38 the release day is the same for all instalments, from the day of the quote to the latest release day", () => {
    const days = (...by: ReadonlyArray<number>) =>
      withInstallments(
        ...validOffer.installments.map(({ calendar_days }, index) => ({
          calendar_days: calendar_days + (by[index] ?? 0)
        }))
      )
    const monday = { released_by: addDays(released_on, 2) }
    for (const by of [0, -1, -2]) assert.strictEqual(verdict(days(by, by, by), monday), "accepted")
    for (const by of [1, -3]) assert.strictEqual(verdict(days(by, by, by), monday), "WRONG_DAYS")
    for (const terms of [days(-1, 0, 0), days(0, -1, -1), days(-1, -1, -2)]) {
      assert.strictEqual(verdict(terms, monday), "WRONG_DAYS")
    }
    assert.strictEqual(verdict(days(-1, -1, -1)), "WRONG_DAYS")
    const february = { customer: { birth_date: calendarDate("1990-02-28") }, ...monday }
    assert.strictEqual(verdict(pricedOn(["2026-02-01"]), february), "accepted")
    const unreleased = pricedOn(["2026-02-01"])
    const installments = unreleased.installments.map((one) => ({ ...one, calendar_days: 0 }))
    assert.strictEqual(verdict({ ...unreleased, installments }, february), "WRONG_DAYS")
  })

  it("FGTS-45 a lender that answers on a weekend or a bank holiday can price for the next business day", () => {
    const latest = (text: string) => latestReleaseDay(calendarDate(text))
    assert.strictEqual(latest("2026-01-30"), "2026-01-30")
    assert.strictEqual(latest("2026-01-31"), "2026-02-02")
    assert.strictEqual(latest("2026-02-01"), "2026-02-02")
    // The weekend and the two days of carnival; Good Friday; Corpus Christi; Christmas on a Friday; the proclamation of
    // the republic.
    for (const day of [14, 15, 16, 17]) assert.strictEqual(latest(`2026-02-${day}`), "2026-02-18")
    assert.strictEqual(latest("2026-04-03"), "2026-04-06")
    assert.strictEqual(latest("2026-06-04"), "2026-06-05")
    assert.strictEqual(latest("2026-12-25"), "2026-12-28")
    assert.strictEqual(latest("2027-11-15"), "2027-11-16")
    for (const day of [2, 3, 4, 5, 6]) assert.strictEqual(latest(`2026-02-0${day}`), `2026-02-0${day}`)
  })

  it("FGTS-39 the stated CET is the recomputed one, with 0.05 points a month and 0.6 a year", () => {
    const { annual_cet, monthly_cet } = validOffer
    const cet = (monthly: number, annual: number) =>
      verdict({
        ...validOffer,
        monthly_cet: percent(Number((monthly_cet + monthly).toFixed(3))),
        annual_cet: percent(Number((annual_cet + annual).toFixed(3)))
      })
    for (const sign of [-1, 1]) {
      assert.strictEqual(cet(sign * 0.044, sign * 0.594), "accepted")
      assert.strictEqual(cet(sign * 0.056, 0), "WRONG_CET")
      assert.strictEqual(cet(0, sign * 0.606), "WRONG_CET")
    }
    const unknown = Number.NaN as PricedOffer["monthly_cet"]
    assert.strictEqual(verdict({ ...validOffer, monthly_cet: unknown }), "WRONG_CET")
    assert.strictEqual(verdict({ ...validOffer, annual_cet: unknown }), "WRONG_CET")
  })

  it("LENDER-14 FGTS-39 the tolerance does not grow with the cost: R$ 13.74 for R$ 0.15 are 569 617 593 % a year", () => {
    const birth_date = calendarDate("1990-06-20")
    const day = calendarDate("2024-02-16")
    const priced = Result.getOrThrow(priceOffer({
      released_on: day,
      monthly_rate: percent(1.35),
      fee: { kind: "fixed", amount: centavos(12_79) },
      installments: [{ due_date: calendarDate("2024-06-01"), amount: centavos(13_74) }]
    }))
    assert.deepInclude(priced, { net_amount: centavos(15), gross_amount: centavos(13_74) })
    assert.strictEqual(Math.round(priced.annual_cet), 569_617_593)
    const stated = (changes: { readonly month?: number; readonly year?: number }) => {
      const { month = 0, year = 0 } = changes
      return verdict({
        ...priced,
        monthly_cet: percent(Number((priced.monthly_cet + month).toFixed(2))),
        annual_cet: percent(Number((priced.annual_cet + year).toFixed(2)))
      }, { customer: { birth_date }, released_on: day, policy: policyOn(day) })
    }
    assert.strictEqual(stated({}), "accepted")
    for (const sign of [-1, 1]) {
      assert.strictEqual(stated({ month: sign * 0.04, year: sign * 0.59 }), "accepted")
      assert.strictEqual(stated({ month: sign * 0.06 }), "WRONG_CET")
      for (const year of [0.62, 1, 100]) assert.strictEqual(stated({ year: sign * year }), "WRONG_CET", String(year))
    }
  })

  it("FGTS-40 the stated monthly rate is the implied one, with 0.05 points", () => {
    const stated = (monthly_rate: number) =>
      verdict({ ...validOffer, monthly_rate: percent(monthly_rate) }, withLimit(100))
    assert.strictEqual(stated(1.8), "accepted")
    for (const rate of [1.76, 1.84]) assert.strictEqual(stated(rate), "accepted")
    for (const rate of [0, 1.74, 1.86, 2, 18, 99]) assert.strictEqual(stated(rate), "WRONG_RATE")
    assert.strictEqual(
      verdict({ ...validOffer, monthly_rate: Number.NaN as PricedOffer["monthly_rate"] }),
      "WRONG_RATE"
    )
  })

  it("FGTS-41 the stated monthly rate is at most the limit in force, inclusive", () => {
    assert.strictEqual(verdict(validOffer, withLimit(1.8)), "accepted")
    assert.strictEqual(verdict(validOffer, withLimit(1.799999)), "RATE_TOO_HIGH")
    assert.strictEqual(verdict(validOffer, withLimit(1)), "RATE_TOO_HIGH")
    for (const rate of [1.800001, 1.83, 4, 4.99, 50]) {
      assert.strictEqual(verdict(pricedOn(["2026-05-01"], rate)), "RATE_TOO_HIGH")
      assert.strictEqual(verdict(pricedOn(["2026-05-01"], rate), withLimit(50)), "accepted")
    }
    // The implied rate may be higher within the tolerance, but not the stated one.
    assert.strictEqual(verdict({ ...pricedOn(["2026-05-01"], 1.83), monthly_rate: percent(1.8) }), "accepted")
  })

  it("FGTS-57 FGTS-58 a stated kind of fee is shown as stated, and is lawful only for its fee and customer", () => {
    const free = lenderOffer("standard").terms
    const judged = (terms: PricedOffer, fee_kind: FeeKind | undefined, is_known_customer: boolean) => {
      const table = fee_kind === undefined ? {} : { fee_kind }
      const result = judgeLenderOffer({ ...conditions, is_known_customer }, terms, table)
      return [feeKindOf({ table, terms }), Result.isFailure(result) ? result.failure.fault : "accepted"]
    }
    for (const known of [false, true]) {
      assert.deepStrictEqual(judged(free, undefined, known), ["NONE", "accepted"])
      assert.deepStrictEqual(judged(validOffer, undefined, known), ["OTHER", "accepted"])
      assert.deepStrictEqual(judged(free, "NONE", known), ["NONE", "accepted"])
      assert.deepStrictEqual(judged(validOffer, "NONE", known), ["NONE", "FEE_NOT_STATED"])
      assert.deepStrictEqual(judged(free, "OTHER", known), ["OTHER", "accepted"])
      assert.deepStrictEqual(judged(validOffer, "OTHER", known), ["OTHER", "accepted"])
      assert.deepStrictEqual(judged(free, "REGISTRATION", known), ["REGISTRATION", "accepted"])
    }
    assert.deepStrictEqual(judged(validOffer, "REGISTRATION", false), ["REGISTRATION", "accepted"])
    assert.deepStrictEqual(judged(validOffer, "REGISTRATION", true), ["REGISTRATION", "REGISTRATION_REPEATED"])
  })

  it("FGTS-42 a negative principal is lawful only where a running balance gives it", () => {
    // A small first instalment, due after eight months: the interest of the period exceeds it.
    const terms = Result.getOrThrow(priceOffer({
      released_on,
      monthly_rate: percent(4),
      fee: { kind: "none" },
      installments: [
        { due_date: calendarDate("2026-12-01"), amount: centavos(100_00) },
        { due_date: calendarDate("2027-12-01"), amount: centavos(500_00) },
        { due_date: calendarDate("2028-12-01"), amount: centavos(500_00) }
      ]
    }))
    const december = { customer: { birth_date: calendarDate("1990-12-05") }, ...withLimit(4) }
    const [first, second, third] = terms.installments
    if (first === undefined || second === undefined || third === undefined) throw new Error("three instalments")
    const interest = Math.round(terms.principal_amount * Math.expm1(Math.log1p(0.04) * first.calendar_days / 30))
    assert.isAbove(interest, first.amount)
    const split = (repaid: number): PricedOffer => {
      const moved = repaid - first.principal_amount
      return {
        ...terms,
        installments: [
          { ...first, principal_amount: centavos(repaid), interest_amount: centavos(first.amount - repaid) },
          {
            ...second,
            principal_amount: plus(second.principal_amount, -moved),
            interest_amount: plus(second.interest_amount, moved)
          },
          third
        ]
      }
    }
    assert.strictEqual(verdict(terms, december), "accepted")
    for (const by of [-1, 0, 1]) assert.strictEqual(verdict(split(first.amount - interest + by), december), "accepted")
    for (const by of [-100_00, -3, 3]) {
      assert.strictEqual(verdict(split(first.amount - interest + by), december), "NEGATIVE_PRINCIPAL")
    }
    assert.strictEqual(verdict(split(-1), december), "NEGATIVE_PRINCIPAL")
  })

  it("FGTS-16 T49 judges amounts of any size without throwing", () => {
    const any = fc.oneof(
      fc.constantFrom(0, 1, -1, 0.5, maxCentavos, -maxCentavos, Number.MAX_VALUE, -Number.MAX_VALUE, 500_00),
      fc.integer({ min: -maxCentavos, max: maxCentavos })
    )
    const whole = fc.record(Object.fromEntries(amounts.map((name) => [name, any])), { requiredKeys: [] })
    const part = fc.record(Object.fromEntries(parts.map((name) => [name, any])), { requiredKeys: [] })
    for (const policy of fgtsPolicies) {
      fc.assert(
        fc.property(whole, fc.array(part, { maxLength: 12 }), (given, installments) => {
          const terms = {
            ...validOffer,
            ...given,
            installments: installments.map((amount, index) => ({ ...validOffer.installments[index % 3], ...amount }))
          } as PricedOffer
          assert.include([...offerFaults, "accepted"], verdict(terms, { policy }))
        }),
        { numRuns: examples(300) }
      )
    }
  })
})
