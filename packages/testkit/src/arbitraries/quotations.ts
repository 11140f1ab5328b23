import { type LoanFee, rejectionCodes } from "@lastro/domain/offer"
import { centavos, percent } from "@lastro/domain/values"
import * as fc from "fast-check"
import { type QuotationExample, type TableExample } from "../offers/quotationFor.ts"
import { spoiledOffers } from "../offers/spoilOffer.ts"

const fee: fc.Arbitrary<LoanFee> = fc.oneof(
  fc.constant<LoanFee>({ kind: "none" }),
  fc.integer({ min: 1, max: 2_000 }).map((units): LoanFee => ({ kind: "percent", percent: percent(units / 100) })),
  fc.integer({ min: 1, max: 50_00 }).map((amount): LoanFee => ({ kind: "fixed", amount: centavos(amount) }))
)

/** Fee tables of lenders. Some produce invalid offers. */
export const lenderTable: fc.Arbitrary<TableExample> = fc.record({
  code: fc.constantFrom("A", "B", "C", "D"),
  monthly_rate: fc.integer({ min: 0, max: 300 }).map((units) => units / 100),
  fee,
  balance: fc.integer({ min: 150_00, max: 20_000_00 }).map(centavos),
  valid_ms: fc.option(fc.integer({ min: 1, max: 48 * 3_600_000 }), { freq: 3 }),
  spoiled: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, fc.constantFrom(...spoiledOffers))
})

/** Rejections with any code. Some state when the customer can retry. */
const refusedQuotation: fc.Arbitrary<QuotationExample & { readonly kind: "REFUSED" }> = fc.record({
  kind: fc.constant("REFUSED"),
  code: fc.constantFrom(...rejectionCodes),
  retry_ms: fc.option(fc.integer({ min: 1, max: 72 * 3_600_000 }))
})

/** Answers of lenders: mostly offers of one to four fee tables, some of them invalid. Other answers are rejections. */
export const quotation: fc.Arbitrary<QuotationExample> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.uniqueArray(lenderTable, { minLength: 1, maxLength: 4, selector: ({ code }) => code })
      .map((tables): QuotationExample => ({ kind: "PRICED", tables }))
  },
  { weight: 1, arbitrary: refusedQuotation }
)
