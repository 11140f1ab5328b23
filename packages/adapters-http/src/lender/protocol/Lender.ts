import { type KycRequirements } from "@lastro/domain/kyc"
import { Lender, LenderUnavailable, LenderUnsupported, noRequirements } from "@lastro/domain/lender"
import { type DisbursementResubmission, type LenderContract, type LenderExits, noExits } from "@lastro/domain/loan"
import { type Duration, Effect, Layer, Option, type Redacted, Result } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { isAddressAllowed, type LenderUrlRefused, parseLenderUrl } from "../lenderAddress.ts"
import { makeLenderTransport, type Resolve } from "../lenderTransport.ts"
import { LenderApi, LenderApiV1 } from "./LenderApi.ts"
import { readLenderCallback } from "./lenderCallback.ts"
import { type BreakerOptions, type CallError, makeLenderCalls } from "./lenderCalls.ts"
import {
  toContractRequest,
  toDisbursementRequest,
  toQuotation,
  toQuoteRequest,
  toRefundRequest
} from "./lenderMessages.ts"
import {
  checkProbe,
  type LenderProtocol,
  makeLenderProtocol,
  probeReference,
  type ProtocolVersion
} from "./lenderProtocol.ts"
import { readInvalid, readRefusedDestination, readRefusedExit, resultOr } from "./lenderRefusals.ts"

/** The URL of a lender, and options for its calls. */
export interface HttpLenderOptions {
  /**
   * The base URL of the lender: `https:`, or `http:` within a private network. Only the operator may set it. Never take
   * it from user input.
   */
  readonly url: string
  /** The bearer token of each call. */
  readonly token?: Redacted.Redacted | undefined
  /**
   * The secret with which the lender signs callbacks: `whsec_` and 24 to 64 random bytes in Base64 (Standard Webhooks
   * 1.0). Without a secret, every callback is rejected.
   */
  readonly callbackSecret?: Redacted.Redacted | undefined
  /**
   * The KYC requirements of the lender. Default: no additional fields, and every disbursement method. Additional fields
   * reach only a lender that supports version 2.
   */
  readonly kyc?: Partial<KycRequirements>
  /** Timeout of a call. Default: 30 s. */
  readonly timeout?: Duration.Input
  /**
   * Options of the circuit breaker. Default: it opens for a tenant, at first for 1 s, after the calls of 5 of its jobs
   * have failed in a row.
   */
  readonly breaker?: BreakerOptions | undefined
  /**
   * Allows a lender in a private network or on this machine. Default: `true`. If `false`, calls to a host name that
   * resolves to such an address fail.
   */
  readonly allowPrivateNetwork?: boolean
  /** Resolves host names. Default: the resolver of the system. */
  readonly resolve?: Resolve
}

const allExits: LenderExits = { cancel: true, refund: true, signature_link: true }

const exitsOf = (version: ProtocolVersion): LenderExits => version === 2 ? allExits : noExits

/** Makes the decoders of the operations that both protocol versions have. */
const makeDecoders = ({ decodeByVersion }: LenderProtocol) => ({
  quote: decodeByVersion(
    HttpApiClient.decodeResponse(LenderApiV1, { group: "lender", endpoint: "quote" }),
    HttpApiClient.decodeResponse(LenderApi, { group: "lender", endpoint: "quote" })
  ),
  submit: decodeByVersion(
    HttpApiClient.decodeResponse(LenderApiV1, { group: "lender", endpoint: "submit" }),
    HttpApiClient.decodeResponse(LenderApi, { group: "lender", endpoint: "submit" })
  ),
  contract: decodeByVersion(
    HttpApiClient.decodeResponse(LenderApiV1, { group: "lender", endpoint: "contract" }),
    HttpApiClient.decodeResponse(LenderApi, { group: "lender", endpoint: "contract" })
  ),
  resubmit: decodeByVersion(
    HttpApiClient.decodeResponse(LenderApiV1, { group: "lender", endpoint: "resubmit" }),
    HttpApiClient.decodeResponse(LenderApi, { group: "lender", endpoint: "resubmit" })
  )
})

/** Fails if the response is about another contract than the requested one. */
const requireContract = (operation: string, reference: string) => (contract: LenderContract) =>
  contract.reference === reference
    ? Effect.succeed(contract)
    : Effect.fail(
      new LenderUnavailable({ reason: "ASKED", detail: `${operation}: the response is about another contract` })
    )

/**
 * Returns the state of a contract after the lender rejected its new payment destination. The customer can correct the
 * destination again.
 */
const paymentRefused = ({ disbursement_attempt, reference }: DisbursementResubmission): LenderContract => ({
  reference,
  status: "DISBURSEMENT_FAILED",
  signature_url: null,
  rejection: null,
  disbursement_attempt
})

/**
 * Connects to a lender that serves the lender protocol (`LenderApi`, `lender.openapi.json`), version 1 or 2. Each
 * method makes one call without retries; the caller retries. Logs, spans and errors contain contract references but no
 * personal data.
 *
 * A lender supports `cancel`, `refund` and `signatureLink` with version 2, and none of them with version 1. Before its
 * first response, the version is unknown, and `knownExits` is null. To detect the version, `exits` and these three
 * methods then read the contract `lastro-protocol`. No such contract exists, but the response shows the version.
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
      const protocol = makeLenderProtocol(transport)
      const decode = makeDecoders(protocol)
      const client = yield* HttpApiClient.makeWith(LenderApi, {
        baseUrl: url,
        httpClient: token === undefined
          ? protocol.client
          : HttpClient.mapRequest(protocol.client, HttpClientRequest.bearerToken(token))
      })
      const { callLender, withheld } = yield* makeLenderCalls(timeout ?? "30 seconds", breaker)
      const responseMode = "response-only"

      const version = protocol.version(
        callLender(
          "contracts",
          "version",
          Effect.flatMap(client.contract({ params: { reference: probeReference }, responseMode }), checkProbe)
        )
      )

      /** Calls an operation that only protocol version 2 has. */
      const callExit = Effect.fnUntraced(function*<A>(operation: string, call: Effect.Effect<A, CallError>) {
        if ((yield* version) === 1) return yield* new LenderUnsupported()
        const result = yield* callLender("contracts", operation, resultOr(call, readRefusedExit(operation)))
        return yield* Effect.fromResult(result)
      })

      return Lender.of({
        requirements: {
          ...noRequirements("http"),
          ...options.kyc,
          throttle: { requests_per_second: null, max_in_flight: 16 }
        },
        quote: (request) => {
          const call = Effect.flatMap(client.quote({ payload: toQuoteRequest(request), responseMode }), decode.quote)
          return Effect.map(callLender("quotes", "quote", call), toQuotation)
        },
        submit: (submission) => {
          const sent = client.submit({
            headers: { "idempotency-key": submission.proposal_id },
            payload: toContractRequest(submission),
            responseMode
          })
          const call = resultOr(Effect.flatMap(sent, decode.submit), readInvalid)
          return Effect.flatMap(callLender("contracts", "submit", call), Effect.fromResult)
        },
        contract: (reference) => {
          const call = Effect.flatMap(client.contract({ params: { reference }, responseMode }), decode.contract)
          return Effect.flatMap(callLender("contracts", "contract", call), requireContract("contract", reference))
        },
        resubmit: (resubmission) => {
          const sent = client.resubmit({ ...toDisbursementRequest(resubmission), responseMode })
          const call = resultOr(Effect.flatMap(sent, decode.resubmit), readRefusedDestination)
          const refused = () => paymentRefused(resubmission)
          return Effect.map(callLender("contracts", "resubmit", call), Result.getOrElse(refused))
        },
        withheld: (operation) => withheld(operation === "quote" ? "quotes" : "contracts", operation),
        exits: Effect.map(version, exitsOf),
        knownExits: Effect.map(protocol.seen, (seen) => Option.isSome(seen) ? exitsOf(seen.value) : null),
        cancel: (cancellation) =>
          Effect.flatMap(callExit("cancel", client.cancel({ payload: cancellation })), ({ contract }) =>
            contract === null || cancellation.reference === null
              ? Effect.succeed(contract)
              : requireContract("cancel", cancellation.reference)(contract)),
        refund: (request) =>
          Effect.flatMap(
            callExit("refund", client.refund(toRefundRequest(request))),
            requireContract("refund", request.reference)
          ),
        signatureLink: (reference) =>
          Effect.flatMap(
            callExit("signatureLink", client.signatureLink({ params: { reference } })),
            requireContract("signatureLink", reference)
          ),
        callback: readLenderCallback(options.callbackSecret)
      })
    })
  )
