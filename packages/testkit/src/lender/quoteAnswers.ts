import { type Lender, type LenderQuotation, type LenderQuoteRequest, LenderUnavailable } from "@lastro/domain/lender"
import { type RejectionCode, rejectionReason } from "@lastro/domain/offer"
import { type Centavos, centavos, currentTimestamp, type Timestamp } from "@lastro/domain/values"
import { type Duration, Effect, type Latch } from "effect"
import { offerWithNet } from "../offer/offerWithNet.ts"
import { type QuotationExample, quotationFor } from "../offer/quotationFor.ts"

/** A function that answers a quote request. */
export type QuoteAnswer = (request: LenderQuoteRequest) => ReturnType<typeof Lender.Service["quote"]>

/** Answers with an example of a quotation, priced for the request. */
export const answering = (example: QuotationExample): QuoteAnswer => (request) =>
  Effect.map(currentTimestamp, (at) => quotationFor(example, request, at))

/** Answers with offers of two fee tables for a balance of R$ 5 000.00, limited by the policy and the request. */
export const usualAnswer: QuoteAnswer = answering({
  kind: "PRICED",
  tables: [
    { code: "A", monthly_rate: 1.8, fee: { kind: "none" }, balance: centavos(5_000_00), valid_ms: null, spoiled: null },
    {
      code: "B",
      monthly_rate: 1.49,
      fee: { kind: "fixed", amount: centavos(10_00) },
      balance: centavos(5_000_00),
      valid_ms: null,
      spoiled: null
    }
  ]
})

/**
 * Answers with one offer for each net amount, from fee tables A, B and so on. Dies if the policy or the request allows
 * no such offer.
 */
export const offering = (...nets: ReadonlyArray<Centavos>): QuoteAnswer => (request) =>
  Effect.sync((): LenderQuotation => ({
    kind: "PRICED",
    offers: nets.map((net, index) => offerWithNet(net, request, { code: String.fromCharCode(65 + index) })),
    unpriced: []
  }))

/** Rejects the quote for a business reason. */
export const refusing = (code: RejectionCode, retry_at: Timestamp | null = null): QuoteAnswer => () =>
  Effect.succeed({ kind: "REFUSED", rejection: rejectionReason(code, "Operação não permitida.", retry_at) })

/**
 * Fails with `LenderUnavailable`. ASKED: the lender was called and did not answer. WITHHELD: the lender was not called.
 */
export const silent = (reason: LenderUnavailable["reason"] = "ASKED"): QuoteAnswer => () =>
  Effect.fail(new LenderUnavailable({ reason, detail: "scripted" }))

/** Fails because the lender throttles calls. `retry_after_ms` is the delay that the lender states, if any. */
export const throttled = (retry_after_ms?: number): QuoteAnswer => () =>
  Effect.fail(
    new LenderUnavailable({
      reason: "THROTTLED",
      detail: "scripted",
      ...(retry_after_ms === undefined ? {} : { retry_after_ms })
    })
  )

/** Answers PENDING: the lender accepted the request, and answers later. */
export const pending = (
  lender_state: string,
  options: { readonly look_at: Timestamp; readonly callback_key?: string | null }
): QuoteAnswer =>
() => Effect.succeed({ kind: "PENDING", lender_state, callback_key: null, ...options })

/** Answers after a delay. */
export const delayed = (by: Duration.Input, answer: QuoteAnswer): QuoteAnswer => (request) =>
  Effect.delay(answer(request), by)

/** Answers when a latch opens. */
export const held = (latch: Latch.Latch, answer: QuoteAnswer): QuoteAnswer => (request) =>
  Effect.tap(answer(request), () => latch.await)
