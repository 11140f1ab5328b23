import { NotFound } from "@lastro/domain/hierarchy"
import { type Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServerError } from "effect/http"
import { type IpNetwork } from "effect/net"
import { layerRateLimiter } from "../limits/layerRateLimiter.ts"
import { rateGate } from "../limits/rateGate.ts"
import { defaultRateLimit, defaultTokenRateLimit, type RateLimit } from "../limits/RateLimit.ts"
import { noForwardingWarning } from "../limits/warnOfForwarding.ts"
import { operations } from "../operations/operations.ts"
import { systemOperations } from "../operations/system.ts"
import { tokenOperations } from "../operations/token.ts"
import { OptionRefused, parseIssuer } from "../options/parseIssuer.ts"
import { defaultRequestTimeout } from "../pipeline/Deadline.ts"
import { allowedMethods, dispatch, type Handler } from "../pipeline/dispatch.ts"
import { type Endpoint, endpoints } from "../pipeline/endpoints.ts"
import { type ServerContext, serverContextOf } from "../pipeline/exchanged.ts"
import { methodRefusal, openHandler, operationHandler, tokenHandler } from "../pipeline/handlers.ts"
import { documents, metadataPath } from "../system/documents.ts"
import { type Readiness } from "../system/Readiness.ts"
import { Issuer } from "../tokens/TokenSigner.ts"

/** Options of the API. */
export interface ServingOptions {
  /**
   * The base URL of the API, which must equal the issuer of its access tokens. A trailing slash is removed. The path of the URL
   * prefixes every path that the API returns: `Location`, the servers of the OpenAPI document and the metadata.
   */
  readonly issuer: string
  /** Rate limit per caller. Default: 50 requests per second in bursts of 100. */
  readonly callerLimit?: RateLimit
  /** Rate limit of token operations per client address. Default: 10 requests per second in bursts of 50. */
  readonly tokenLimit?: RateLimit
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /**
   * Maximum time of a request. After it, the response is 503, with the code `OUTCOME_UNKNOWN` if the request may have changed something. A long poll may take this time in addition to
   * its own wait. Default: 15 s.
   */
  readonly requestTimeout?: Duration.Input
  /** Additional documents to serve. Default: none. */
  readonly documents?: ReadonlyArray<OpenDocument>
}

/** A public document whose text is generated for every request. */
export interface OpenDocument {
  readonly path: `/${string}`
  /** The media type, with charset. */
  readonly type: string
  readonly text: Effect.Effect<string>
}

/** Makes a function that returns the handler of an endpoint. */
const makeHandlerFactory = Effect.fnUntraced(function*(options: ServingOptions, around: ServerContext) {
  const callerGate = yield* rateGate("caller", options.callerLimit ?? defaultRateLimit)
  const tokenGate = yield* rateGate("token", options.tokenLimit ?? defaultTokenRateLimit)
  const system = systemOperations(options.issuer)
  return (endpoint: Endpoint) => {
    switch (endpoint.kind) {
      case "operation":
        return operationHandler(endpoint, operations[endpoint.name], callerGate, around)
      case "token":
        return tokenHandler(endpoint.path, tokenOperations[endpoint.name], tokenGate, around)
      case "system":
        return openHandler(endpoint.path, system[endpoint.name], around)
    }
  }
})

type HandlerFactory = Effect.Success<ReturnType<typeof makeHandlerFactory>>

/** The services that handlers require. */
type HandlerServices = Effect.Services<ReturnType<HandlerFactory>>

/** The services that the API requires: the ports of the use cases, the signing keys and the token issuer. */
export type ApiPorts = Exclude<HandlerServices, HttpRouter.Provided | Readiness> | Issuer

/** Makes functions that add paths to the router. Every other path is answered with 404. */
const makeRouting = Effect.fnUntraced(function*(around: ServerContext) {
  const router = yield* HttpRouter.HttpRouter
  const notFound = openHandler("unknown", () => Effect.fail(new NotFound()), around)
  yield* router.addGlobalMiddleware((routed) =>
    Effect.catch(routed, (error) => isRouteNotFound(error) ? notFound : Effect.fail(error))
  )
  const add = <R>(path: `/${string}`, form: "envelope" | "oauth2", byMethod: ReadonlyMap<string, Handler<R>>) => {
    const notAllowed = methodRefusal(path, allowedMethods(byMethod.keys()), form, around)
    return router.add("*", path, dispatch({ path, byMethod, notAllowed, notFound }))
  }
  return {
    add,
    addDocument: ({ path, text, type }: OpenDocument) => {
      const answer = Effect.map(text, (body) => ({ status: 200, headers: { "cache-control": "no-store" }, body, type }))
      return add(path, "envelope", new Map([["GET", openHandler(path, () => answer, around)]]))
    }
  }
})

/**
 * Parses the issuer of the API. It must equal the issuer of the access tokens. Otherwise clients would see two issuers.
 */
const parseServedIssuer = Effect.fnUntraced(function*(text: string) {
  const issuer = yield* Effect.fromResult(parseIssuer(text))
  const tokenIssuer = yield* Issuer
  return issuer === tokenIssuer ? issuer : yield* new OptionRefused({
    option: "issuer",
    problem:
      `must equal the issuer of the access tokens: the tokens name ${tokenIssuer}, the API is served as ${issuer}`
  })
})

const registerRoutes = Effect.fnUntraced(function*(given: ServingOptions) {
  const options = { ...given, issuer: yield* parseServedIssuer(given.issuer) }
  const around = serverContextOf(options)
  const handlerOf: (endpoint: Endpoint) => Handler<HandlerServices> = yield* makeHandlerFactory(options, around)
  const { add, addDocument } = yield* makeRouting(around)
  for (const [path, group] of Map.groupBy(endpoints, ({ path }) => path)) {
    const form = group.some(({ kind }) => kind === "token") ? "oauth2" : "envelope"
    const byMethod = new Map(group.map((endpoint) => [endpoint.method, handlerOf(endpoint)]))
    yield* add(path, form, byMethod)
    if (around.basePath !== "" && path === metadataPath("")) yield* add(metadataPath(around.basePath), form, byMethod)
  }
  for (const { path, serve } of yield* documents(around.basePath)) {
    yield* add(path, "envelope", new Map([["GET", openHandler(path, serve, around)]]))
  }
  yield* Effect.forEach(options.documents ?? [], addDocument, { discard: true })
})

const isRouteNotFound = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/**
 * Adds every route of the API to the router of the application. Requires the ports of the domain. Keeps rate-limit buckets in memory.
 * Fails with `OptionRefused` if the issuer is invalid or differs from the issuer of the access tokens.
 */
export const layer = (options: ServingOptions) =>
  Layer.provide(Layer.effectDiscard(registerRoutes(options)), layerRateLimiter)

/** Serves only documents, for a separate port. Every other path is answered with 404. */
export const layerDocuments = (served: ReadonlyArray<OpenDocument>) =>
  Layer.effectDiscard(Effect.flatMap(
    makeRouting({
      basePath: "",
      trustedProxies: [],
      forwarding: noForwardingWarning,
      requestTimeout: defaultRequestTimeout
    }),
    ({ addDocument }) => Effect.forEach(served, addDocument, { discard: true })
  ))
