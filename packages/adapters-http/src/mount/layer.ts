import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Readiness } from "../operations/Readiness.ts"
import { type Incoming } from "../pipeline/Exchange.ts"
import { runHandler } from "../pipeline/handleRequest.ts"
import { type Found, type RouteTable } from "../pipeline/RouteTable.ts"
import { type Outgoing } from "../pipeline/RunningRequest.ts"
import { type Issuer } from "../security/TokenSigner.ts"
import { ApiRoutes, type HandlerServices, layerRoutes, openDocumentRoutes } from "./ApiRoutes.ts"
import { type OpenDocument } from "./servedDocuments.ts"
import { type ServingOptions } from "./ServingOptions.ts"

/** The services that the API requires: the ports of the use cases, the signing keys and the token issuer. */
export type ApiPorts = Exclude<HandlerServices, Readiness> | Issuer

/** Converts a response to one of Effect's HTTP server. */
const toServerResponse = ({ headers, status, stream, text }: Outgoing): HttpServerResponse.HttpServerResponse => {
  if (stream !== undefined) {
    return HttpServerResponse.stream(stream, { status, headers, contentType: headers["content-type"] })
  }
  if (text === undefined) return HttpServerResponse.empty({ status, headers })
  const options = { status, headers, contentType: headers["content-type"] }
  return typeof text === "string"
    ? HttpServerResponse.text(text, options)
    : HttpServerResponse.uint8Array(text, options)
}

/**
 * Answers a request with the handler that the route table returned. The handler is interruptible, because Effect's HTTP
 * server cannot interrupt anything else.
 */
export const answerWith = <R>({ handler, params }: Found<R>, request: Incoming) =>
  Effect.map(Effect.interruptible(runHandler(handler, request, params)), toServerResponse)

const serveTable = <R>(routes: RouteTable<R>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) => answerWith(routes.find(request.method, request.url), request)
  )

/** Answers every request of Effect's HTTP server. */
export const serveRoutes = Effect.flatMap(ApiRoutes, serveTable)

const isRouteNotFound = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/**
 * Adds all paths to the router, each with the same handler. The handler searches the route table again: the router
 * accepts several spellings of a path, but the table only one.
 */
const registerRoutes = Effect.fnUntraced(function*<R>(routes: RouteTable<R>) {
  const router = yield* HttpRouter.HttpRouter
  const answered = serveTable(routes)
  yield* router.addGlobalMiddleware((routed) =>
    Effect.catch(routed, (error) => isRouteNotFound(error) ? answered : Effect.fail(error))
  )
  yield* Effect.forEach(routes.paths, (path) => router.add("*", path, answered), { discard: true })
})

/**
 * Adds every route of the API to the router of the application. Requires the ports of the domain. Keeps rate-limit
 * buckets in memory. Fails with `OptionRefused` if the issuer is invalid or differs from that of the access tokens.
 */
export const layer = (options: ServingOptions) =>
  Layer.provide(Layer.effectDiscard(Effect.flatMap(ApiRoutes, registerRoutes)), layerRoutes(options))

/** Serves only documents, for example on a separate port. Every other path gets 404. */
export const layerDocuments = (served: ReadonlyArray<OpenDocument>) =>
  Layer.effectDiscard(Effect.flatMap(openDocumentRoutes(served), registerRoutes))
