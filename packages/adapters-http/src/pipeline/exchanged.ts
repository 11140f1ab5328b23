import { parseRequestId, RequestId } from "@lastro/domain/audit"
import { IdGenerator } from "@lastro/domain/id"
import { monotonicMillis } from "@lastro/domain/time"
import { ClientAddress } from "@lastro/domain/token"
import { Cause, Context, Duration, Effect, Option, References } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type IpNetwork } from "effect/net"
import { refusalCounters } from "../admission/AdmissionMeter.ts"
import { slotOf } from "../admission/Slot.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { InternalFailure, MalformedRequest, OutcomeUnknown, ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { clientAddress, clientNetwork, ignoresForwarding } from "../limits/clientNetwork.ts"
import { type ForwardingWarning, forwardingWarning, warnOfForwarding } from "../limits/warnOfForwarding.ts"
import { basePathOf } from "../options/parseIssuer.ts"
import { Deadline, defaultRequestTimeout, runUntil } from "./Deadline.ts"
import { type Exchange } from "./Exchange.ts"
import { defectOf, describeDefect, isTransient, isUndecided } from "./failureOf.ts"
import { hasValidHost } from "./hasValidHost.ts"
import { observeRoute } from "./observeRoute.ts"
import { respond } from "./respond.ts"

/** Network context and time limit of the server. */
export interface ServerContext {
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** The path prefix of the API in client URLs. */
  readonly basePath: string
  /** Maximum time of a request. */
  readonly requestTimeout: Duration.Input
  /** The warning that `X-Forwarded-For` of an untrusted peer is ignored. */
  readonly forwarding: ForwardingWarning
}

/** Derives the context from the issuer URL. */
export const serverContextOf = (
  { issuer, requestTimeout = defaultRequestTimeout, trustedProxies = [] }:
    & { readonly issuer: string }
    & Partial<Pick<ServerContext, "requestTimeout" | "trustedProxies">>
): ServerContext => ({
  basePath: basePathOf(issuer),
  requestTimeout,
  trustedProxies,
  forwarding: forwardingWarning()
})

const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end < 0 ? url : url.slice(0, end)
}

const readOrMakeRequestId = (
  { headers }: HttpServerRequest.HttpServerRequest
): Effect.Effect<string, never, IdGenerator> => {
  const sent = parseRequestId(headers["x-request-id"])
  if (sent !== undefined) return Effect.succeed(sent)
  // A failing id generator must not fail the request.
  return Effect.catchDefect(Effect.flatMap(IdGenerator, ({ next }) => next), () => Effect.succeed("unknown"))
}

const makeExchange = (
  request: HttpServerRequest.HttpServerRequest,
  request_id: string,
  now: number,
  { basePath, requestTimeout, trustedProxies }: ServerContext
): Exchange => {
  const { headers } = request
  const slot = slotOf(request.source)
  return {
    request,
    request_id,
    path: pathOf(request.url),
    basePath,
    client: clientNetwork(
      clientAddress(Option.getOrUndefined(request.remoteAddress), headers["x-forwarded-for"], trustedProxies)
    ),
    headers: {},
    slot,
    deadline: new Deadline(Duration.toMillis(Duration.fromInputUnsafe(requestTimeout)), now - (slot?.waited ?? 0))
  }
}

/** Adds the request id and client address to the context of the domain and the log. */
const addRequestContext = (exchange: Exchange) => <R>(context: Context.Context<R>): Context.Context<R> =>
  context.pipe(
    Context.add(RequestId, exchange.request_id),
    Context.add(ClientAddress, exchange.client),
    Context.add(References.CurrentLogAnnotations, {
      ...Context.get(context, References.CurrentLogAnnotations),
      request_id: exchange.request_id
    })
  )

/**
 * If true, the log of a failed request contains the whole cause, with messages and stacks. Default: false, because messages may
 * hold personal data. Set it for development only.
 */
export const LogCauses: Context.Reference<boolean> = Context.Reference<boolean>(
  "@lastro/adapters-http/pipeline/exchanged/LogCauses",
  { defaultValue: () => false }
)

const logDefect = (message: string, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Effect.flatMap(
    LogCauses,
    (logsCauses) =>
      logsCauses
        ? Effect.logError(message, cause)
        : Effect.annotateLogs(Effect.logError(message), { ...describeDefect(defectOf(cause)) })
  )

const countTimeout: Effect.Effect<void> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.sync(() => refusalCounters.deadline.updateUnsafe(1, context))
)
/** Logs the warning about `X-Forwarded-For` first, if it applies. */
const warnFirst = <A, R>(
  request: HttpServerRequest.HttpServerRequest,
  { forwarding, trustedProxies }: ServerContext,
  answered: Effect.Effect<A, never, R>
): Effect.Effect<A, never, R> => {
  const peer = Option.getOrUndefined(request.remoteAddress)
  return ignoresForwarding(peer, request.headers["x-forwarded-for"], trustedProxies)
    ? Effect.andThen(warnOfForwarding(forwarding), answered)
    : answered
}

/**
 * Wraps the handler of a route: assigns a request id, adds the request context, ends the request at its deadline, turns defects into
 * responses, and records metrics, a span and a log line.
 */
export const handleRequest = <R>(
  route: string,
  around: ServerContext,
  encodeFailure: (
    failure: InternalFailure | MalformedRequest | OutcomeUnknown | ServiceUnavailable,
    exchange: Exchange
  ) => Encoded,
  handle: (exchange: Exchange) => Effect.Effect<Encoded, never, R>
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | IdGenerator | HttpServerRequest.HttpServerRequest
> => {
  const refuseDefect = (cause: Cause.Cause<never>, exchange: Exchange): Effect.Effect<Encoded> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const defect = defectOf(cause)
    const [refusal, message] = isUndecided(defect)
      ? [new OutcomeUnknown(), "request failed: connection lost during commit; responding 503"] as const
      : isTransient(defect)
      ? [new ServiceUnavailable(), "request failed: dependency unavailable; responding 503"] as const
      : [new InternalFailure(), "request failed: internal error; responding 500"] as const
    return Effect.as(logDefect(message, cause), encodeFailure(refusal, exchange))
  }
  const refuseTimeout = (exchange: Exchange) =>
    Effect.andThen(
      Effect.andThen(Effect.logWarning("request exceeded its time limit; responding 503"), countTimeout),
      // Work that has reached its commit cannot be undone, so a change may have been made.
      Effect.sync(() =>
        encodeFailure(
          ["GET", "HEAD"].includes(exchange.request.method) ? new ServiceUnavailable() : new OutcomeUnknown(),
          exchange
        )
      )
    )
  const observe = observeRoute(route)
  return Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      Effect.flatMap(Effect.zip(readOrMakeRequestId(request), monotonicMillis), ([request_id, now]) => {
        const exchange = makeExchange(request, request_id, now, around)
        const { deadline, slot } = exchange
        slot?.claim()
        const handled = hasValidHost(request)
          ? Effect.catchCause(handle(exchange), (cause) => refuseDefect(cause, exchange))
          : Effect.sync(() => encodeFailure(new MalformedRequest(), exchange))
        const answered = runUntil(deadline, handled, refuseTimeout(exchange), () => slot?.release())
        return Effect.updateContext(
          Effect.map(observe(exchange, warnFirst(request, around, answered)), (encoded) => respond(exchange, encoded)),
          addRequestContext(exchange)
        )
      })
  )
}
