import {
  type ContractSubmission,
  type DisbursementResubmission,
  Lender,
  type LenderContract,
  type LenderQuotation,
  type LenderQuoteRequest,
  LenderUnavailable,
  noRequirements,
  withoutExits
} from "@lastro/domain/lender"
import { type Duration, Effect, Layer, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { CircuitBreaker } from "effect/persistence"
import { isAddressAllowed, type LenderUrlRefused, parseLenderUrl } from "./lenderAddress.ts"
import { LenderApi } from "./LenderApi.ts"
import { type BreakerOptions, makeLenderCalls } from "./lenderCalls.ts"
import { type ContractRequest } from "./LenderContracts.ts"
import { type Quotation, type QuoteRequest } from "./LenderQuotes.ts"
import { makeLenderTransport, type Resolve } from "./lenderTransport.ts"

/** The URL of a lender, and options of its calls. */
export interface HttpLenderOptions {
  /**
   * The base URL of the lender protocol: `https:`, or `http:` within a private network. Never take it from user input: only the
   * operator may set it.
   */
  readonly url: string
  /** The bearer token of each call. */
  readonly token?: Redacted.Redacted | undefined
  /** Timeout of a call. Default: 30 s. */
  readonly timeout?: Duration.Input
  /** Options of the circuit breaker. Default: opens after 5 consecutive failures, for 1 s at first. */
  readonly breaker?: BreakerOptions
  /**
   * Allows a lender in a private network or on this machine. Default: `true`. With `false`, calls to a host name that resolves
   * to such an address fail.
   */
  readonly allowPrivateNetwork?: boolean
  /** Resolves host names. Default: the resolver of the system. */
  readonly resolve?: Resolve
}

const toQuoteRequest = ({ policy, wish, ...request }: LenderQuoteRequest): typeof QuoteRequest.Type => {
  const { max_installment, max_installments, min_installment, version } = policy
  return { ...request, ...wish, policy: { version, max_installments, min_installment, max_installment } }
}

const toQuotation = (quotation: typeof Quotation.Type): LenderQuotation =>
  quotation.kind === "REFUSED" ? quotation : {
    kind: "PRICED",
    offers: quotation.offers.map(({ table, valid_until, ...terms }) => ({ table, terms, valid_until })),
    unpriced: quotation.unpriced
  }

/** Makes a contract request with only the payment destination that the disbursement method uses. */
const toContractRequest = (
  { accepted_at, application_id, disbursement, kyc, offer, proposal_id }: ContractSubmission
): typeof ContractRequest.Type => {
  const { bank: _bank, disbursement_method: _method, pix: _pix, ...customer } = kyc
  const { offer_id, table, terms } = offer
  return { proposal_id, application_id, accepted_at, offer: { offer_id, table, ...terms }, customer, disbursement }
}

const toDisbursementRequest = ({ reference, ...payload }: DisbursementResubmission) => ({
  params: { reference },
  headers: { "idempotency-key": `${payload.proposal_id}/${payload.disbursement_attempt}` },
  payload
})

/** Fails if the response is about a contract other than the requested one. */
const requireContract = (reference: string) => (contract: LenderContract) =>
  contract.reference === reference
    ? Effect.succeed(contract)
    : Effect.fail(
      new LenderUnavailable({ reason: "ASKED", detail: "contract: the response is about another contract" })
    )

/**
 * Connects to a lender that serves the lender protocol (`LenderApi`, `lender.openapi.json`). Each method makes one call without
 * retries. The caller retries. Logs, spans and errors contain contract references, but no personal data.
 */
export const layerHttpLender = (options: HttpLenderOptions): Layer.Layer<Lender, LenderUrlRefused> =>
  Layer.effect(
    Lender,
    Effect.gen(function*() {
      const { allowPrivateNetwork = true, breaker = { failures: 5, openFor: "1 second" }, resolve, timeout, token } =
        options
      const url = yield* Effect.fromResult(parseLenderUrl(options.url, allowPrivateNetwork))
      const transport = yield* makeLenderTransport({
        mayConnect: (address) => isAddressAllowed(url.protocol === "https:", allowPrivateNetwork, address),
        ...(resolve === undefined ? {} : { resolve })
      })
      const client = yield* HttpApiClient.makeWith(LenderApi, {
        baseUrl: url,
        httpClient: token === undefined
          ? transport
          : HttpClient.mapRequest(transport, HttpClientRequest.bearerToken(token))
      })
      const callLender = yield* makeLenderCalls(timeout ?? "30 seconds", breaker)
      return Lender.of({
        ...withoutExits,
        requirements: { ...noRequirements("http"), throttle: { requests_per_second: null, max_in_flight: 16 } },
        quote: (request) =>
          Effect.map(callLender("quotes", "quote", client.quote({ payload: toQuoteRequest(request) })), toQuotation),
        submit: (submission) =>
          callLender(
            "contracts",
            "submit",
            client.submit({
              headers: { "idempotency-key": submission.proposal_id },
              payload: toContractRequest(submission)
            })
          ),
        contract: (reference) =>
          callLender("contracts", "contract", client.contract({ params: { reference } })).pipe(
            Effect.flatMap(requireContract(reference))
          ),
        resubmit: (resubmission) =>
          callLender("contracts", "resubmit", client.resubmit(toDisbursementRequest(resubmission)))
      })
    })
  ).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))
