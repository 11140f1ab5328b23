import { ClientAddress, IdGenerator, RequestId, requestIdOf } from "@lastro/domain"
import { Cause, Context, Effect, Option, References } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type IpNetwork } from "effect/net"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { InternalFailure, ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { type Exchange } from "./Exchange.ts"
import { defectOf, describeDefect } from "./failureOf.ts"
import { observed } from "./observed.ts"
import { respond } from "./respond.ts"
import { isTransient } from "./Transient.ts"

/** What a server knows about its surroundings. */
export interface Surroundings {
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** What comes before the paths of the API where clients see them. */
  readonly basePath: string
}

const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end < 0 ? url : url.slice(0, end)
}

const requestId = ({ headers }: HttpServerRequest.HttpServerRequest): Effect.Effect<string, never, IdGenerator> => {
  const sent = requestIdOf(headers["x-request-id"])
  if (sent !== undefined) return Effect.succeed(sent)
  // Whatever is wrong with ids, a request is answered.
  return Effect.catchDefect(Effect.flatMap(IdGenerator, ({ next }) => next), () => Effect.succeed("unknown"))
}

const begin = (
  request: HttpServerRequest.HttpServerRequest,
  request_id: string,
  { basePath, trustedProxies }: Surroundings
): Exchange => {
  const { headers } = request
  return {
    request,
    request_id,
    path: pathOf(request.url),
    basePath,
    client: clientNetwork(
      clientAddress(Option.getOrUndefined(request.remoteAddress), headers["x-forwarded-for"], trustedProxies)
    ),
    headers: {}
  }
}

/** Tells the domain and the log about a request. */
const knowing = (exchange: Exchange) => <R>(context: Context.Context<R>): Context.Context<R> =>
  context.pipe(
    Context.add(RequestId, exchange.request_id),
    Context.add(ClientAddress, exchange.client),
    Context.add(References.CurrentLogAnnotations, {
      ...Context.get(context, References.CurrentLogAnnotations),
      request_id: exchange.request_id
    })
  )

/**
 * Wraps the handling of every request: gives it an id, tells the domain about it, turns defects into
 * answers, and observes what comes of it.
 */
export const exchanged = <R>(
  route: string,
  around: Surroundings,
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
    const refusal = isTransient(defect) ? new ServiceUnavailable() : new InternalFailure()
    return Effect.as(
      Effect.annotateLogs(Effect.logError("request failed"), { ...describeDefect(defect) }),
      encodeFailure(refusal, exchange)
    )
  }
  const observe = observed(route)
  return Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      Effect.flatMap(requestId(request), (request_id) => {
        const exchange = begin(request, request_id, around)
        const answered = Effect.catchCause(handle(exchange), (cause) => refuseDefect(cause, exchange))
        return Effect.updateContext(
          Effect.map(observe(exchange, answered), (encoded) => respond(exchange, encoded)),
          knowing(exchange)
        )
      })
  )
}
