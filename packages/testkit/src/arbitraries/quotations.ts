import {
  availableInstallments,
  type LoanFee,
  priceOffer,
  reduceToDesired,
  rejectionCodes,
  type RejectionReason,
  rejectionReason,
  type Unpriced
} from "@lastro/domain/fgts"
import { type FinalQuotation, type LenderOffer } from "@lastro/domain/lender"
import { type Centavos, centavos, percent } from "@lastro/domain/money"
import { millisOf, type Timestamp, timestampOf } from "@lastro/domain/time"
import { Result } from "effect"
import * as fc from "fast-check"
import { type OfferedFor } from "../offers/offerWithNet.ts"
import { type SpoiledOffer, spoiledOffers, spoilOffer } from "../offers/spoilOffer.ts"

/** A fee table of a lender, with which any request can be priced. */
export interface TableExample {
  readonly code: string
  readonly monthly_rate: number
  readonly fee: LoanFee
  readonly balance: Centavos
  readonly valid_ms: number | null
  /** The fault of offers from this table. Null for no fault. An offer that cannot have the fault is lawful. */
  readonly spoiled: SpoiledOffer | null
}

/** The answer of a lender to any quote request. */
export type QuotationExample =
  | { readonly kind: "PRICED"; readonly tables: ReadonlyArray<TableExample> }
  | { readonly kind: "REFUSED"; readonly code: RejectionReason["code"]; readonly retry_ms: number | null }

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

/**
 * Prices a request with a fee table at an instant. Returns an offer priced by the domain, or the reason why there is
 * none.
 */
const priceTable = (
  { balance, fee, monthly_rate, ...table }: TableExample,
  offered: OfferedFor & { readonly wish: { readonly desired_amount?: Centavos | null } },
  at: Timestamp
): Result.Result<LenderOffer, Unpriced> => {
  const { customer, policy, released_on, wish } = offered
  const named = { code: table.code, label: `Tabela ${table.code}` }
  const installments = availableInstallments({
    balance,
    birth_date: customer.birth_date,
    max_installments: table.spoiled === "TOO_MANY_INSTALLMENTS" ? null : wish.max_installments,
    policy,
    released_on
  })
  const terms = { released_on, monthly_rate: percent(monthly_rate), fee, installments }
  return Result.mapBoth(
    Result.flatMap(reduceToDesired(terms, wish.desired_amount ?? null, policy.min_installment), priceOffer),
    {
      onFailure: () => ({ table: named, rejection: rejectionReason("BELOW_MINIMUM_INSTALLMENT", "Sem oferta.") }),
      onSuccess: (offer) => ({
        table: named,
        terms: (table.spoiled && spoilOffer(table.spoiled, offer, offered)) ?? offer,
        valid_until: table.valid_ms === null ? null : timestampOf(millisOf(at) + table.valid_ms)
      })
    }
  )
}

/** Builds the answer of a lender to a quote request at an instant. */
export const quotationFor = (
  example: QuotationExample,
  offered: Parameters<typeof priceTable>[1],
  at: Timestamp
): FinalQuotation => {
  if (example.kind === "REFUSED") {
    const retry_at = example.retry_ms === null ? null : timestampOf(millisOf(at) + example.retry_ms)
    return { kind: "REFUSED", rejection: rejectionReason(example.code, "Operação não permitida.", retry_at) }
  }
  const answers = example.tables.map((table) => priceTable(table, offered, at))
  return {
    kind: "PRICED",
    offers: answers.filter(Result.isSuccess).map(({ success }) => success),
    unpriced: answers.filter(Result.isFailure).map(({ failure }) => failure)
  }
}
