import {
  type Centavos,
  centavos,
  type Lender,
  type LenderQuotation,
  type LenderQuoteRequest,
  LenderUnavailable,
  now,
  type RejectionCode,
  rejectionReason,
  type Timestamp
} from "@lastro/domain"
import { type Duration, Effect, type Latch } from "effect"
import { type QuotationExample, quotationFor } from "../arbitraries/quotations.ts"
import { offerWithNet } from "./offerWithNet.ts"

/** How a lender answers a quote. */
export type QuoteAnswer = (request: LenderQuoteRequest) => ReturnType<typeof Lender.Service["quote"]>

/** As an example of a lender answers what it is asked for, priced for real. */
export const answering = (example: QuotationExample): QuoteAnswer => (request) =>
  Effect.map(now, (at) => quotationFor(example, request, at))

/** Offers of two tables on a balance of R$ 5 000.00, whatever policy and wish allow of it. */
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

/** An offer of each net amount, by tables A, B, …; dies where policy and wish allow no such offer. */
export const offering = (...nets: ReadonlyArray<Centavos>): QuoteAnswer => (request) =>
  Effect.sync((): LenderQuotation => ({
    kind: "PRICED",
    offers: nets.map((net, index) => offerWithNet(net, request, { code: String.fromCharCode(65 + index) })),
    unpriced: []
  }))

/** A refusal for reasons of business. */
export const refusing = (code: RejectionCode, retry_at: Timestamp | null = null): QuoteAnswer => () =>
  Effect.succeed({ kind: "REFUSED", rejection: rejectionReason(code, "Operação não permitida.", retry_at) })

/** No answer: the lender was asked in vain, or not even asked. */
export const silent = (reason: LenderUnavailable["reason"] = "ASKED"): QuoteAnswer => () =>
  Effect.fail(new LenderUnavailable({ reason, detail: "scripted" }))

/** An answer that takes its time. */
export const delayed = (by: Duration.Input, answer: QuoteAnswer): QuoteAnswer => (request) =>
  Effect.delay(answer(request), by)

/** An answer that the lender has, but does not give before a latch is open. */
export const held = (latch: Latch.Latch, answer: QuoteAnswer): QuoteAnswer => (request) =>
  Effect.tap(answer(request), () => latch.await)
