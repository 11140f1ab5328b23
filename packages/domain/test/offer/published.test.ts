import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type OfferTerms } from "../../src/offer/PricedOffer.ts"
import { priceOffer } from "../../src/offer/priceOffer.ts"
import { totalEffectiveCost } from "../../src/offer/totalEffectiveCost.ts"
import { calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"
import { roundHalfUp } from "../../src/values/rounding.ts"

describe("published examples", () => {
  it("PRICE-03, PRICE-04, PRICE-05, PRICE-06, PRICE-08, PRICE-10, PRICE-11 a loan simulated by QI Tech, to the centavo", () => {
    const terms: OfferTerms = {
      released_on: calendarDate("2024-09-06"),
      monthly_rate: percent(7),
      fee: { kind: "none" },
      installments: [
        { due_date: calendarDate("2024-09-25"), amount: centavos(19_50) },
        { due_date: calendarDate("2024-10-25"), amount: centavos(19_50) }
      ]
    }
    assert.deepStrictEqual<unknown>(
      priceOffer(terms),
      Result.succeed({
        gross_amount: 39_00,
        principal_amount: 36_14,
        iof_daily_amount: 10,
        iof_additional_amount: 14,
        iof_amount: 24,
        fee_amount: 0,
        net_amount: 35_90,
        monthly_rate: 7,
        annual_rate: 125.219159,
        monthly_cet: 7.76,
        annual_cet: 145.08,
        installments: [
          {
            number: 1,
            due_date: "2024-09-25",
            amount: 19_50,
            principal_amount: 18_68,
            interest_amount: 82,
            calendar_days: 19
          },
          {
            number: 2,
            due_date: "2024-10-25",
            amount: 19_50,
            principal_amount: 17_46,
            interest_amount: 2_04,
            calendar_days: 49
          }
        ]
      })
    )
  })

  it("PRICE-09 the Banco Central example: R$ 940.00 received, five monthly payments of R$ 205.73", () => {
    const payments = [1, 2, 3, 4, 5].map((month) => ({ years: month / 12, amount: centavos(205_73) }))
    const { annual, monthly } = Result.getOrThrow(totalEffectiveCost(centavos(940_00), payments))
    assert.strictEqual(roundHalfUp(annual * 100, 2), 43.93)
    assert.strictEqual(roundHalfUp(monthly * 100, 2), 3.08)
  })
})
