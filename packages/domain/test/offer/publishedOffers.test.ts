import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { policyOn } from "../../src/offer/FgtsPolicy.ts"
import { judgeCet, judgeNegativePrincipals, judgeRate } from "../../src/offer/judgeCosts.ts"
import { judgeLenderOffer } from "../../src/offer/judgeLenderOffer.ts"
import { type PricedOffer } from "../../src/offer/PricedOffer.ts"
import { calendarDate, daysBetween } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"

/** Amounts in centavos, and percentages, as a lender publishes them. */
interface Published {
  readonly released_on: string
  readonly principal: number
  readonly iof: readonly [daily: number, additional: number]
  readonly fee: number
  readonly net: number
  readonly rate: number
  readonly cet: readonly [monthly: number, annual: number]
  readonly installments: ReadonlyArray<readonly [due_date: string, amount: number, principal: number]>
}

const offerOf = ({ cet, fee, installments, iof, net, principal, rate, released_on }: Published): PricedOffer => ({
  gross_amount: centavos(installments.reduce((sum, [, amount]) => sum + amount, 0)),
  principal_amount: centavos(principal),
  iof_daily_amount: centavos(iof[0]),
  iof_additional_amount: centavos(iof[1]),
  iof_amount: centavos(iof[0] + iof[1]),
  fee_amount: centavos(fee),
  net_amount: centavos(net),
  monthly_rate: percent(rate),
  annual_rate: percent(Number((100 * ((1 + rate / 100) ** 12 - 1)).toFixed(6))),
  monthly_cet: percent(cet[0]),
  annual_cet: percent(cet[1]),
  installments: installments.map(([date, amount, repaid], index) => ({
    number: index + 1,
    due_date: calendarDate(date),
    amount: centavos(amount),
    principal_amount: centavos(repaid),
    interest_amount: centavos(amount - repaid),
    calendar_days: daysBetween(calendarDate(released_on), calendarDate(date))
  }))
})

/** Finds by bisection the rate a period at which the instalments are worth an amount. A second implementation, for comparison. */
const rateFor = (worth: number, { installments }: PricedOffer, daysOfPeriod: number): number => {
  let [low, high] = [0, 10]
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    const value = installments.reduce(
      (sum, { amount, calendar_days }) => sum + amount * (1 + middle) ** (-calendar_days / daysOfPeriod),
      0
    )
    if (value > worth) low = middle
    else high = middle
  }
  return 100 * low
}

const assertRecomputes = (offer: PricedOffer): void => {
  assert.closeTo(rateFor(offer.net_amount, offer, 365), offer.annual_cet, 0.6)
  assert.closeTo(rateFor(offer.net_amount, offer, 365 / 12), offer.monthly_cet, 0.05)
  assert.closeTo(rateFor(offer.principal_amount, offer, 30), offer.monthly_rate, 0.05)
}

const released_on = "2026-11-23"
const conditions = {
  customer: { birth_date: calendarDate("1990-04-17") },
  released_on: calendarDate(released_on),
  policy: policyOn(calendarDate(released_on)),
  wish: { max_installments: null }
}

/** QI Tech, simulation: one running balance, the last centavo of principal in the last instalment. */
const qi: Published = {
  released_on,
  principal: 1135_41,
  iof: [26_06, 4_31],
  fee: 0,
  net: 1105_04,
  rate: 1.8,
  cet: [2.02, 27.07],
  installments: [["2027-04-01", 500_00, 409_47], ["2028-04-01", 500_00, 323_49], ["2029-04-01", 500_00, 402_45]]
}

describe("offers that lenders publish", () => {
  it("LENDER-14 QI Tech, V8 and BMP: three withdrawals of R$ 500.00 at 1.8 % a month", () => {
    const iof: Published["iof"] = [25_02, 4_31]
    const v8: Published = { ...qi, iof, fee: 272_50, net: 833_58, cet: [4.19, 63.57] }
    const bmp: Published = { ...qi, iof, net: 1106_08, cet: [2.01, 26.97] }
    for (const published of [qi, v8, bmp]) {
      const offer = offerOf(published)
      assertRecomputes(offer)
      assert.deepStrictEqual(judgeLenderOffer(conditions, offer), Result.void)
    }
    // The CET of one lender on the offer of another is wrong.
    assert.isTrue(Result.isFailure(judgeLenderOffer(conditions, offerOf({ ...v8, cet: qi.cet }))))
  })

  it("FGTS-39 FGTS-40 FGTS-42 the loan in QI Tech's documentation, with its own split of the instalments", () => {
    const offer = offerOf({
      released_on: "2024-09-06",
      principal: 36_14,
      iof: [10, 14],
      fee: 0,
      net: 35_90,
      rate: 7,
      cet: [7.76, 145.08],
      installments: [["2024-09-25", 19_50, 17_92], ["2024-10-25", 19_50, 18_22]]
    })
    assertRecomputes(offer)
    assert.isUndefined(judgeCet(offer) ?? judgeRate(offer) ?? judgeNegativePrincipals(offer))
  })

  it("FGTS-39 the Banco Central example: R$ 940.00 received, five monthly payments of R$ 205.73", () => {
    const months = [1, 2, 3, 4, 5].map((month) => Math.round(365 * month / 12))
    const dated = offerOf({ ...qi, principal: 940_00, net: 940_00, iof: [0, 0], cet: [3.08, 43.93], installments: [] })
    const offer: PricedOffer = {
      ...dated,
      installments: months.map((calendar_days, index) => ({
        number: index + 1,
        due_date: calendarDate("2027-04-01"),
        amount: centavos(205_73),
        principal_amount: centavos(188_00),
        interest_amount: centavos(17_73),
        calendar_days
      }))
    }
    assert.isUndefined(judgeCet(offer))
    assert.strictEqual(judgeCet({ ...offer, monthly_cet: percent(2.98) }), "WRONG_CET")
    assert.strictEqual(judgeCet({ ...offer, annual_cet: percent(42.9) }), "WRONG_CET")
  })
})
