import { ClientAddress, IdGenerator, RequestId } from "@lastro/domain"
import { Cause, Clock, Context, Effect, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type IpNetwork } from "effect/net"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { InternalFailure, ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { type Exchange, sentRequestId } from "./Exchange.ts"
import { defectOf, describeDefect } from "./failureOf.ts"
import { respond } from "./respond.ts"

/** What a server knows about its surroundings. */
export interface Surroundings {
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** Whether a defect means that something needed, such as the database, cannot be reached: 503 instead of 500. */
  readonly isUnavailable: (defect: unknown) => boolean
}

const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end < 0 ? url : url.slice(0, end)
}

const begin = Effect.fnUntraced(function*(trustedProxies: Surroundings["trustedProxies"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  const exchange: Exchange = {
    request,
    request_id: sentRequestId(headers["x-request-id"]) ?? (yield* (yield* IdGenerator).next),
    path: pathOf(request.url),
    client: clientNetwork(
      clientAddress(Option.getOrUndefined(request.remoteAddress), headers["x-forwarded-for"], trustedProxies)
    ),
    headers: {}
  }
  return exchange
})

/**
 * Wraps the handling of every request: gives it an id, tells the domain about it, turns refusals and defects into
 * answers, and logs one line. The line names the route and never what was asked: paths hold ids, queries personal data.
 */
export const exchanged = <E, R>(
  route: string,
  { isUnavailable, trustedProxies }: Surroundings,
  encodeFailure: (failure: E | InternalFailure | ServiceUnavailable, exchange: Exchange) => Encoded,
  handle: (exchange: Exchange) => Effect.Effect<Encoded, E, R>
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | IdGenerator | HttpServerRequest.HttpServerRequest
> => {
  const refuseDefect = (cause: Cause.Cause<never>, exchange: Exchange): Effect.Effect<Encoded> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const defect = defectOf(cause)
    const refusal = isUnavailable(defect) ? new ServiceUnavailable() : new InternalFailure()
    return Effect.as(
      Effect.annotateLogs(Effect.logError("request failed"), { ...describeDefect(defect) }),
      encodeFailure(refusal, exchange)
    )
  }
  const run = Effect.fnUntraced(function*(exchange: Exchange) {
    const clock = yield* Clock.Clock
    const started = clock.currentTimeMillisUnsafe()
    const encoded = yield* handle(exchange).pipe(
      Effect.catch((refusal) => Effect.succeed(encodeFailure(refusal, exchange))),
      Effect.catchCause((cause) => refuseDefect(cause, exchange))
    )
    const { method } = exchange.request
    const duration_ms = clock.currentTimeMillisUnsafe() - started
    yield* Effect.annotateLogs(Effect.logInfo("request"), { method, route, status: encoded.status, duration_ms })
    return respond(exchange, encoded)
  })
  return Effect.flatMap(begin(trustedProxies), (exchange) =>
    run(exchange).pipe(
      Effect.annotateLogs("request_id", exchange.request_id),
      Effect.updateContext((context: Context.Context<R | IdGenerator | HttpServerRequest.HttpServerRequest>) =>
        Context.add(Context.add(context, RequestId, exchange.request_id), ClientAddress, exchange.client)
      )
    ))
}
