import { ClientAddress, IdGenerator, RequestId } from "@lastro/domain"
import { Cause, Context, Effect, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type IpNetwork } from "effect/net"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { InternalFailure, ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { type Exchange, sentRequestId } from "./Exchange.ts"
import { defectOf, describeDefect } from "./failureOf.ts"
import { observed } from "./observed.ts"
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
 * Wraps the handling of every request: gives it an id, tells the domain about it, turns defects into
 * answers, and observes what comes of it.
 */
export const exchanged = <R>(
  route: string,
  { isUnavailable, trustedProxies }: Surroundings,
  encodeFailure: (failure: InternalFailure | ServiceUnavailable, exchange: Exchange) => Encoded,
  handle: (exchange: Exchange) => Effect.Effect<Encoded, never, R>
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
  const run = (exchange: Exchange) =>
    Effect.map(
      observed(route, exchange, Effect.catchCause(handle(exchange), (cause) => refuseDefect(cause, exchange))),
      (encoded) => respond(exchange, encoded)
    )
  return Effect.flatMap(begin(trustedProxies), (exchange) =>
    run(exchange).pipe(
      Effect.annotateLogs("request_id", exchange.request_id),
      Effect.updateContext((context: Context.Context<R | IdGenerator | HttpServerRequest.HttpServerRequest>) =>
        Context.add(Context.add(context, RequestId, exchange.request_id), ClientAddress, exchange.client)
      )
    ))
}
