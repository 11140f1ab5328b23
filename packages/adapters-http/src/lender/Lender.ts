import {
  type ContractSubmission,
  type DisbursementResubmission,
  Lender,
  type LenderContract,
  type LenderQuotation,
  type LenderQuoteRequest,
  LenderUnavailable
} from "@lastro/domain"
import { type Duration, Effect, Layer, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { CircuitBreaker } from "effect/persistence"
import { mayAsk } from "./lenderAddress.ts"
import { LenderApi } from "./LenderApi.ts"
import { type BreakerOptions, makeLenderCalls } from "./lenderCalls.ts"
import { type ContractRequest } from "./LenderContracts.ts"
import { type Quotation, type QuoteRequest } from "./LenderQuotes.ts"
import { makeLenderTransport, type Resolve } from "./lenderTransport.ts"
import { judgeLenderUrl, type LenderUrlRefused } from "./lenderUrl.ts"

/** Where a lender is, and how it is asked. */
export interface HttpLenderOptions {
  /**
   * The address that the paths of the protocol follow: `https:`, or `http:` where only a private network is crossed. Only who runs
   * the service may say it.
   */
  readonly url: string
  /** Sent to the lender as a bearer token with each call. */
  readonly token?: Redacted.Redacted | undefined
  /** How long a call may take; 30 seconds unless it is said. */
  readonly timeout?: Duration.Input
  /** When calls are held back; five failures in a row, one second at first, unless it is said. */
  readonly breaker?: BreakerOptions
  /**
   * Whether the lender may be in a private network or on this machine; `true` unless it is said. With `false` a name that leads
   * there, by mistake or by somebody's doing, is not followed.
   */
  readonly allowPrivateNetwork?: boolean
  /** Finds the addresses of names; the system's resolver unless it is given. */
  readonly resolve?: Resolve
}

const quoteRequest = ({ policy, wish, ...request }: LenderQuoteRequest): typeof QuoteRequest.Type => {
  const { max_installment, max_installments, min_installment, version } = policy
  return { ...request, ...wish, policy: { version, max_installments, min_installment, max_installment } }
}

const quotationOf = (quotation: typeof Quotation.Type): LenderQuotation =>
  quotation.kind === "REFUSED" ? quotation : {
    kind: "PRICED",
    offers: quotation.offers.map(({ table, valid_until, ...terms }) => ({ table, terms, valid_until })),
    unpriced: quotation.unpriced
  }

/** The account that is not paid to is nobody's business. */
const contractRequest = (
  { accepted_at, application_id, disbursement, kyc, offer, proposal_id }: ContractSubmission
): typeof ContractRequest.Type => {
  const { bank: _bank, disbursement_method: _method, pix: _pix, ...customer } = kyc
  const { offer_id, table, terms } = offer
  return { proposal_id, application_id, accepted_at, offer: { offer_id, table, ...terms }, customer, disbursement }
}

const disbursementRequest = ({ reference, ...payload }: DisbursementResubmission) => ({
  params: { reference },
  headers: { "idempotency-key": `${payload.proposal_id}/${payload.disbursement_attempt}` },
  payload
})

/** What a lender says of another contract than it was asked for is not believed. */
const sameContract = (reference: string) => (contract: LenderContract) =>
  contract.reference === reference
    ? Effect.succeed(contract)
    : Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "contract: the answer is about another contract" }))

/**
 * A lender that serves the lender protocol (`LenderApi`, `lender.openapi.json`). Each method makes one call and never repeats it:
 * who calls does. Nothing personal is in logs, spans or failures; a contract's reference is.
 */
export const layerHttpLender = (options: HttpLenderOptions): Layer.Layer<Lender, LenderUrlRefused> =>
  Layer.effect(
    Lender,
    Effect.gen(function*() {
      const { allowPrivateNetwork = true, breaker = { failures: 5, openFor: "1 second" }, resolve, timeout, token } =
        options
      const url = yield* Effect.fromResult(judgeLenderUrl(options.url, allowPrivateNetwork))
      const transport = yield* makeLenderTransport({
        mayConnect: (address) => mayAsk(url.protocol === "https:", allowPrivateNetwork, address),
        ...(resolve === undefined ? {} : { resolve })
      })
      const client = yield* HttpApiClient.makeWith(LenderApi, {
        baseUrl: url,
        httpClient: token === undefined
          ? transport
          : HttpClient.mapRequest(transport, HttpClientRequest.bearerToken(token))
      })
      const calling = yield* makeLenderCalls(timeout ?? "30 seconds", breaker)
      return Lender.of({
        quote: (request) =>
          Effect.map(calling("quotes", "quote", client.quote({ payload: quoteRequest(request) })), quotationOf),
        submit: (submission) =>
          calling(
            "contracts",
            "submit",
            client.submit({
              headers: { "idempotency-key": submission.proposal_id },
              payload: contractRequest(submission)
            })
          ),
        contract: (reference) =>
          calling("contracts", "contract", client.contract({ params: { reference } })).pipe(
            Effect.flatMap(sameContract(reference))
          ),
        resubmit: (resubmission) => calling("contracts", "resubmit", client.resubmit(disbursementRequest(resubmission)))
      })
    })
  ).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))
