import * as fc from "fast-check"
import { type LoanFee, type OfferTerms } from "../../src/offer/PricedOffer.ts"
import { addDays, calendarDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { percent } from "../../src/values/Percent.ts"

const millionths = (min: number, max: number) => fc.integer({ min, max }).map((units) => percent(Number(`${units}e-6`)))

/** Rates of up to 5 % a month with two or six decimals, occasionally up to 100 %. */
export const rates = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 500 }).map((units) => percent(Number(`${units}e-2`))) },
  { weight: 4, arbitrary: millionths(0, 5_000_000) },
  { weight: 1, arbitrary: millionths(0, 100_000_000) }
)

export const fees: fc.Arbitrary<LoanFee> = fc.oneof(
  fc.constant<LoanFee>({ kind: "none" }),
  millionths(0, 30_000_000).map((share): LoanFee => ({ kind: "percent", percent: share })),
  fc.integer({ min: 0, max: 50_00 }).map((amount): LoanFee => ({ kind: "fixed", amount: centavos(amount) }))
)

export const releases = fc.nat({ max: 5_000 }).map((day) => addDays(calendarDate("2022-01-01"), day))

/** Legal amounts, occasionally up to a million reais or a few centavos. */
const amounts = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 100_00, max: 500_00 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 1_000_000_00 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) }
).map(centavos)

/** One to ten instalments, due between one day and more than ten years after the release. */
export const terms: fc.Arbitrary<OfferTerms> = fc.record({
  released_on: releases,
  monthly_rate: rates,
  fee: fees,
  gaps: fc.array(
    fc.tuple(amounts, fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(1, 30, 365))),
    { minLength: 1, maxLength: 10 }
  )
}).map(({ gaps, ...rest }) => {
  let due_date = rest.released_on
  return {
    ...rest,
    installments: gaps.map(([amount, days]) => {
      due_date = addDays(due_date, days)
      return { due_date, amount }
    })
  }
})
