import { NotFound } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError } from "effect/http"
import { type IpNetwork } from "effect/net"
import { RateLimiter } from "effect/persistence"
import { rateGate } from "./limits/rateGate.ts"
import { defaultRateLimit, type RateLimit } from "./limits/RateLimit.ts"
import { operations } from "./operations/operations.ts"
import { systemOperations } from "./operations/system.ts"
import { tokenOperations } from "./operations/token.ts"
import { servedIssuer } from "./options/servedIssuer.ts"
import { allowedMethods, dispatch, type Handler } from "./pipeline/dispatch.ts"
import { type Endpoint, endpoints } from "./pipeline/endpoints.ts"
import { type Surroundings } from "./pipeline/exchanged.ts"
import { methodRefusal, openHandler, operationHandler, tokenHandler } from "./pipeline/handlers.ts"
import { surroundingsOf } from "./pipeline/surroundingsOf.ts"
import { documents } from "./system/documents.ts"
import { metadataPath } from "./system/metadataPath.ts"
import { type Readiness } from "./system/Readiness.ts"
import { type Issuer } from "./tokens/Issuer.ts"

/** How the API is served. */
export interface ServingOptions {
  /**
   * The URL that clients reach the API below, which has to be the one that its tokens name; a slash at its end is taken off. Its path
   * comes before every path that the API tells: `Location`, the servers of the OpenAPI document, the metadata.
   */
  readonly issuer: string
  /** What one caller may do; 50 requests a second in bursts of 100 unless given. */
  readonly callerLimit?: RateLimit
  /** What one address may ask of the token operations; 50 requests a second in bursts of 100 unless given. */
  readonly tokenLimit?: RateLimit
  /** The proxies whose `X-Forwarded-For` is believed; none unless given. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Documents that are served beside the API; none unless given. */
  readonly documents?: ReadonlyArray<OpenDocument>
}

/** A text that everybody may read, made anew for every request. */
export interface OpenDocument {
  readonly path: `/${string}`
  /** Its media type, with the charset. */
  readonly type: string
  readonly text: Effect.Effect<string>
}

/** Makes the handler of an endpoint. */
const makeHandlers = Effect.fnUntraced(function*(options: ServingOptions) {
  const around = surroundingsOf(options)
  const callerGate = yield* rateGate("caller", options.callerLimit ?? defaultRateLimit)
  const tokenGate = yield* rateGate("token", options.tokenLimit ?? defaultRateLimit)
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

type Handlers = Effect.Success<ReturnType<typeof makeHandlers>>

/** What the handlers need while they serve a request. */
type HandlerServices = Effect.Services<ReturnType<Handlers>>

/** The services that requests are answered with: the ports of the use cases, the keys that tokens are signed with, and whom they name. */
export type ApiPorts = Exclude<HandlerServices, HttpRouter.Provided | Readiness> | Issuer

/** Adds paths to the router, and answers for those it does not have. */
const routing = Effect.fnUntraced(function*(around: Surroundings) {
  const router = yield* HttpRouter.HttpRouter
  const notFound = openHandler("unknown", () => Effect.fail(new NotFound()), around)
  yield* router.addGlobalMiddleware((routed) =>
    Effect.catch(routed, (error) => isUnrouted(error) ? notFound : Effect.fail(error))
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

const register = Effect.fnUntraced(function*(given: ServingOptions) {
  const options = { ...given, issuer: yield* servedIssuer(given.issuer) }
  const around = surroundingsOf(options)
  const handlerOf: (endpoint: Endpoint) => Handler<HandlerServices> = yield* makeHandlers(options)
  const { add, addDocument } = yield* routing(around)
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

const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/**
 * Every route of the API, on the router of the application. Needs the domain's ports; buckets of the rate limits are
 * kept in the memory of the process. Fails with `OptionRefused` where the issuer cannot be one, or is not that of the tokens.
 */
export const layer = (options: ServingOptions) =>
  Layer.effectDiscard(register(options)).pipe(
    Layer.provide(Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory))
  )

/** Documents and nothing else, for a port of their own: every other path is 404. */
export const layerDocuments = (served: ReadonlyArray<OpenDocument>) =>
  Layer.effectDiscard(Effect.flatMap(
    routing({ basePath: "", trustedProxies: [] }),
    ({ addDocument }) => Effect.forEach(served, addDocument, { discard: true })
  ))
