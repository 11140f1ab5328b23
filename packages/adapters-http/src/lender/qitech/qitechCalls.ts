import { type CallResult, LenderUnavailable } from "@lastro/domain/lender"
import { errorCode } from "@lastro/domain/values"
import { Clock, type Duration, Effect, Exit, Option } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { type KeyObject } from "node:crypto"
import { makeLenderBreaker } from "../lenderBreaker.ts"
import { parseRetryAfter, reasonOfFailure } from "../lenderTransport.ts"
import { numberAt, parse } from "./json.ts"
import { errorOf, isForbidden, isThrottled, QitechRefused, readError } from "./QitechRefused.ts"
import { claimTime, emptyPayload, md5, signClaims } from "./signing.ts"

/** A call of QI Tech's API. */
export interface QitechCall {
  /** The name of the call in logs and spans. */
  readonly operation: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH"
  /** The path and query. Variable parts must be URL-encoded, and must not contain personal data. */
  readonly path: string
  /** The JSON body. */
  readonly json?: unknown
  /** A body that is not JSON. */
  readonly raw?: {
    readonly bytes: Uint8Array
    readonly contentType: string
    /** The bytes that the signature covers. */
    readonly signed: Uint8Array
  }
}

/** Sends a call and returns the JSON of the response. */
export type SendCall = (call: QitechCall) => Effect.Effect<unknown, QitechRefused | LenderUnavailable>

/** Makes the error for a call that may have had an effect, or whose response shows nothing. */
export const unavailable = (detail: string, retry_after_ms?: number): LenderUnavailable =>
  new LenderUnavailable({ reason: "ASKED", detail, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) })

/** Returns the bytes of a JSON body. They are both sent and signed. */
const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** Describes a failed connection with a code. Omits all data sent or received. */
const connectionFailure = (operation: string, { reason }: HttpClientError.HttpClientError): LenderUnavailable => {
  if (reason._tag !== "TransportError") {
    return unavailable(`${operation}: the answer cannot be read`)
  }
  const code = errorCode(reason.cause)
  const detail = `${operation}: connection failed: ${code ?? "UNKNOWN"}`
  return new LenderUnavailable({ reason: reasonOfFailure(code), detail })
}

/**
 * Returns the delay in milliseconds after which QI Tech accepts the next call. Reads seconds from the header
 * `Retry-After`, or from `retry_after` in the body or in the additional fields of the error.
 */
const retryAfterOf = (
  { headers }: HttpClientResponse.HttpClientResponse,
  body: unknown,
  now: number
): number | undefined => {
  const stated = parseRetryAfter(headers["retry-after"], now)
  if (stated !== undefined) return stated
  const error = errorOf(body)
  const seconds = numberAt(error, "retry_after") ?? numberAt(error, "extra_fields", "retry_after") ??
    numberAt(body, "retry_after")
  return seconds === null ? undefined : parseRetryAfter(String(Math.ceil(Math.max(seconds, 0))), now)
}

const isFailure = (failure: QitechRefused | LenderUnavailable): boolean =>
  failure._tag === "LenderUnavailable" && (failure.reason === "ASKED" || failure.reason === "UNREACHED")

/**
 * Classifies the result of a call for the circuit breaker. A rejection counts as a success. A throttled call, or one
 * with rejected credentials, does not count, because it does not show whether QI Tech works.
 */
const classify = <A>(exit: Exit.Exit<A, QitechRefused | LenderUnavailable>): CallResult => {
  if (Exit.isSuccess(exit)) return "SUCCESS"
  const [failure] = exit.cause.reasons.flatMap((reason) => reason._tag === "Fail" ? [reason.error] : [])
  if (failure === undefined || isFailure(failure)) return "FAILURE"
  return failure._tag === "QitechRefused" ? "SUCCESS" : "IGNORED"
}

/** All calls share one circuit of the circuit breaker. This is its key. */
const circuit = "all"

export interface CallOptions {
  readonly client: HttpClient.HttpClient
  readonly url: URL
  readonly apiKey: () => string
  readonly privateKey: KeyObject
  readonly timeout: Duration.Input
}

/**
 * Returns two functions. `send` signs a call and sends it once, with a timeout and a circuit breaker. `withheld`
 * returns the failure with which the circuit breaker would reject a call, or null.
 */
export const makeQitechCalls = Effect.fnUntraced(function*({ apiKey, client, privateKey, timeout, url }: CallOptions) {
  const breaker = yield* makeLenderBreaker("qitech", [circuit], { failures: 5, openForMs: 1_000 })

  const requestOf = ({ json, method, path, raw }: QitechCall, millis: number) => {
    const target = new URL(`${url.pathname.replace(/\/$/, "")}${path}`, url)
    const body = raw?.bytes ?? (json === undefined ? undefined : jsonBytes(json))
    const request = HttpClientRequest.make(method)(target, {
      headers: {
        "api-client-key": apiKey(),
        authorization: signClaims(privateKey, {
          payload_md5: md5(raw?.signed ?? body ?? emptyPayload),
          timestamp: claimTime(millis),
          method,
          uri: `${target.pathname}${target.search}`
        }),
        accept: "application/json"
      }
    })
    return body === undefined
      ? request
      : HttpClientRequest.bodyUint8Array(request, body, raw?.contentType ?? "application/json")
  }

  const judge = Effect.fnUntraced(function*(operation: string, response: HttpClientResponse.HttpClientResponse) {
    const failWith = (reason: LenderUnavailable["reason"], detail: string, retry_after_ms?: number) =>
      new LenderUnavailable({
        reason,
        detail: `${operation}: ${detail}`,
        ...(retry_after_ms === undefined ? {} : { retry_after_ms })
      })
    const { status } = response
    const body = parse(yield* response.text)
    if (status >= 200 && status < 300) {
      return body === undefined ? yield* failWith("ASKED", "the answer is not JSON") : body
    }
    const { code, text } = readError(body)
    const retryAfter = retryAfterOf(response, body, yield* Clock.currentTimeMillis)
    const detail = code === null ? `status ${status}` : `status ${status}, ${code}`
    if (isThrottled(status, text, retryAfter !== undefined)) return yield* failWith("THROTTLED", detail, retryAfter)
    if (isForbidden(status, code)) return yield* failWith("FORBIDDEN", detail)
    // The call may have had an effect. A response that is not JSON is from a proxy, and shows nothing about QI Tech.
    if (status < 400 || status >= 500 || body === undefined || status === 408) {
      return yield* failWith("ASKED", detail, retryAfter)
    }
    return yield* new QitechRefused({ operation, status, code, text })
  })

  const sendOnce = (call: QitechCall) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) => client.execute(requestOf(call, millis))).pipe(
      Effect.flatMap((response) => judge(call.operation, response)),
      Effect.catchTag("HttpClientError", (error) => Effect.fail(connectionFailure(call.operation, error))),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(unavailable(`${call.operation}: timeout`))
      })
    )
  const send: SendCall = (call) =>
    breaker.through({ key: circuit, operation: call.operation, resultOf: classify }, sendOnce(call)).pipe(
      Effect.withSpan(`Qitech.${call.operation}`, {}, { captureStackTrace: false })
    )
  return { send, withheld: (operation: string) => breaker.withheld(circuit, operation) }
})

/** Converts an unexpected rejection to the error for a lender without a usable response. */
export const unexpected = ({ code, operation, status }: QitechRefused): LenderUnavailable =>
  unavailable(`${operation}: status ${status}${code === null ? "" : `, ${code}`}`)

/** Runs a call that QI Tech is not expected to reject. */
export const orUnavailable = <A>(
  call: Effect.Effect<A, QitechRefused | LenderUnavailable>
): Effect.Effect<A, LenderUnavailable> =>
  Effect.catchTag(call, "QitechRefused", (refused) => Effect.fail(unexpected(refused)))

/** QI Tech's error code for a disbursement day in the past, which occurs if midnight passed during the call. */
export const dayPast = "COP000090"

/** QI Tech's error code for a debt that does not exist. The HTTP status of this error is not documented. */
const noSuchDebt = "LEG000013"

/** Runs a call. Returns none if QI Tech responds with 404, or with the code for an unknown debt. */
export const orNone = <A>(
  call: Effect.Effect<A, QitechRefused | LenderUnavailable>
): Effect.Effect<Option.Option<A>, LenderUnavailable> =>
  call.pipe(
    Effect.map(Option.some),
    Effect.catchTag("QitechRefused", (refused) =>
      refused.status === 404 || refused.code === noSuchDebt
        ? Effect.succeed(Option.none<A>())
        : Effect.fail(unexpected(refused)))
  )
