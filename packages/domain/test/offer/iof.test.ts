import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { costsOf, feeOf } from "../../src/offer/costsOf.ts"
import { iofAdditional, iofRates, iofRatesOn } from "../../src/offer/iof.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"

const released_on = calendarDate("2026-12-01")

/** The daily tax on one instalment without interest. */
const daily = (amount: number, days: number): number =>
  Result.getOrThrow(costsOf({
    released_on,
    monthly_rate: percent(0),
    fee: { kind: "none" },
    installments: [{ due_date: addDays(released_on, days), amount: centavos(amount) }]
  })).iof_daily_amount

describe("costs", () => {
  it("PRICE-05 0.0082 % a day, for at most 365 days", () => {
    assert.strictEqual(daily(1_000_00, 1), 8)
    assert.strictEqual(daily(1_000_00, 364), 29_85)
    assert.strictEqual(daily(1_000_00, 365), 29_93)
    assert.strictEqual(daily(1_000_00, 366), 29_93)
    assert.strictEqual(daily(1_000_00, 3_650), 29_93)
  })

  it("PRICE-05 rounds half up", () => {
    assert.strictEqual(daily(500_00, 5), 21)
    assert.strictEqual(daily(500_00, 15), 62)
    assert.strictEqual(daily(2_500_00, 365), 74_83)
  })

  it("PRICE-06 0.38 % of the principal, charged once, rounded half up", () => {
    const [rates] = iofRates
    assert.strictEqual(iofAdditional(rates!, centavos(36_14)), 14)
    assert.strictEqual(iofAdditional(rates!, centavos(125_00)), 48)
    assert.strictEqual(iofAdditional(rates!, centavos(1)), 0)
  })

  it("PRICE-15 the rate is the one in force on the release date", () => {
    assert.strictEqual(iofRatesOn(calendarDate("2022-01-01")).daily, 0.0082)
    assert.strictEqual(iofRatesOn(calendarDate("2199-12-31")), iofRates.at(-1))
    assert.strictEqual(iofRatesOn(calendarDate("1900-01-01")), iofRates[0])
    const starts = iofRates.map(({ from }) => from)
    assert.deepStrictEqual(starts, starts.toSorted())
  })

  it("PRICE-07 a fee is zero, an amount or a percentage of the principal, rounded half up", () => {
    assert.strictEqual(feeOf({ kind: "none" }, centavos(1_000_00)), 0)
    assert.strictEqual(feeOf({ kind: "fixed", amount: centavos(10_00) }, centavos(5_00)), 10_00)
    assert.strictEqual(feeOf({ kind: "percent", percent: percent(10) }, centavos(1_072_44)), 107_24)
    assert.strictEqual(feeOf({ kind: "percent", percent: percent(10) }, centavos(1_072_45)), 107_25)
  })
})
