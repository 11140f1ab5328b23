import { keepRequestId } from "@lastro/domain/audit"
import { NotFound } from "@lastro/domain/hierarchy"
import { startSignInMetrics } from "@lastro/domain/identity"
import { ensureJobPorts, type StoredJobs } from "@lastro/domain/jobs"
import { type IdGenerator } from "@lastro/domain/ports"
import { Context, Effect, Layer } from "effect"
import { notFoundPage } from "../docs/staticPage.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { MethodNotAllowed } from "../errors/HttpRefusals.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { type RateGate, rateGate } from "../limits/rateGate.ts"
import { defaultRateLimit, defaultTokenRateLimit } from "../limits/RateLimit.ts"
import { callbackOperations, type OperationPorts, operations } from "../operations/operations.ts"
import { systemOperations } from "../operations/system.ts"
import { tokenOperations } from "../operations/token.ts"
import { type Endpoint, endpoints } from "../pipeline/endpoints.ts"
import { type Exchange, languageOf, type ServerContext, serverContextOf } from "../pipeline/Exchange.ts"
import { type Handler, handleRequest } from "../pipeline/handleRequest.ts"
import { preferredType } from "../pipeline/negotiation.ts"
import { startRequestMetrics } from "../pipeline/observeRoute.ts"
import { encodeEnvelope, encodeOAuth2, uncached } from "../pipeline/respond.ts"
import { allowedMethods, RouteTable } from "../pipeline/RouteTable.ts"
import { serveOperation } from "../pipeline/serveOperation.ts"
import { OptionRefused, parseIssuer } from "../security/parseIssuer.ts"
import { Issuer } from "../security/TokenSigner.ts"
import { documentation } from "./documentation.ts"
import { metadataPath, type OpenDocument, serveOpenDocument } from "./servedDocuments.ts"
import { type ServingOptions } from "./ServingOptions.ts"

/** The format of errors: the API's error envelope, or that of RFC 6749 §5.2. */
type Form = "envelope" | "oauth2"

/** Makes a handler whose errors have the API's error envelope. */
export const envelopeHandler = <R>(
  route: string,
  serve: (exchange: Exchange) => Effect.Effect<Encoded, Refusal, R>,
  server: ServerContext
): Handler<R> => handleRequest<Refusal, R>(route, server, encodeEnvelope, serve)

/** Limits the rate of requests per client network, because their callers are not known yet. */
const limitClient =
  <E, R>(gate: RateGate, serve: (exchange: Exchange) => Effect.Effect<Encoded, E, R>) => (exchange: Exchange) =>
    Effect.flatMap(
      Effect.fromResult(gate(exchange.client, exchange.headers, exchange.clock)),
      () => serve(exchange)
    )

/** Makes a handler that answers 405. For token operations, the error has the format of OAuth 2. */
const methodRefusal = (route: string, allow: ReadonlyArray<string>, form: Form, server: ServerContext) => {
  const refusal = new MethodNotAllowed({ allow })
  return handleRequest(route, server, form === "oauth2" ? encodeOAuth2 : encodeEnvelope, () => Effect.fail(refusal))
}

const makeGates = ({ callerLimit = defaultRateLimit, tokenLimit = defaultTokenRateLimit }: ServingOptions) => ({
  callerGate: rateGate("caller", callerLimit),
  callbackGate: rateGate("callback", callerLimit),
  tokenGate: rateGate("token", tokenLimit)
})

/** Returns a function that makes the handler of an endpoint. */
const makeHandlerFactory = (
  options: ServingOptions,
  { callbackGate, callerGate, tokenGate }: ReturnType<typeof makeGates>,
  server: ServerContext
) => {
  const system = systemOperations(options.issuer)
  return (endpoint: Endpoint) => {
    switch (endpoint.kind) {
      case "operation":
        return envelopeHandler(endpoint.path, serveOperation(operations[endpoint.name], endpoint, callerGate), server)
      case "callback":
        return envelopeHandler(endpoint.path, limitClient(callbackGate, callbackOperations[endpoint.name]), server)
      case "token": {
        const serve = limitClient(tokenGate, tokenOperations[endpoint.name])
        return handleRequest(endpoint.path, server, encodeOAuth2, (exchange) => {
          Object.assign(exchange.headers, uncached)
          return serve(exchange)
        })
      }
      case "system":
        return envelopeHandler(endpoint.path, system[endpoint.name], server)
    }
  }
}

type TokenOperation = (typeof tokenOperations)[keyof typeof tokenOperations]
type CallbackOperation = (typeof callbackOperations)[keyof typeof callbackOperations]
type SystemOperation = ReturnType<typeof systemOperations>[keyof ReturnType<typeof systemOperations>]

/** The services that handlers require. */
export type HandlerServices = Exclude<
  | IdGenerator
  // The console shows the failing jobs of a tree.
  | StoredJobs
  | Effect.Services<ReturnType<ReturnType<typeof serveOperation<OperationPorts>>>>
  | Effect.Services<ReturnType<CallbackOperation>>
  | Effect.Services<ReturnType<TokenOperation>>
  | Effect.Services<ReturnType<SystemOperation>>,
  never
>

/** Every route of the API, for a server that does not use `layer` or `mountApi`. */
export class ApiRoutes extends Context.Service<ApiRoutes, RouteTable<HandlerServices>>()(
  "@lastro/adapters-http/mount/ApiRoutes"
) {}

/** Returns whether a path is used by programs. Its errors are JSON, even for browsers. */
const isOfPrograms = (path: string): boolean => /^\/(?:api|oauth)(?:\/|$)/.test(path)

/** Encodes an error of an unknown path: as a page for browsers, and as the error envelope for programs. */
const encodeUnknown = (refusal: Refusal, exchange: Exchange): Encoded => {
  const { basePath, headers, path, request } = exchange
  if (refusal._tag !== "NotFound" || isOfPrograms(path)) return encodeEnvelope(refusal, exchange)
  headers["vary"] = "Accept, Accept-Language"
  const { type } = preferredType(request.headers["accept"], [
    { type: "application/json" },
    { type: "text/html; charset=utf-8" }
  ])
  if (type === "application/json") return encodeEnvelope(refusal, exchange)
  const page = notFoundPage(languageOf(exchange), basePath)
  return { status: 404, headers: page.headers, body: page.html, type }
}

const unknownPathHandler = <R>(server: ServerContext): Handler<R> =>
  handleRequest<Refusal, R>("unknown", server, encodeUnknown, () => Effect.fail(new NotFound()))

const makeTable = <R>(server: ServerContext) => new RouteTable<R>(unknownPathHandler(server))

/** Returns two functions that add a path to a table: with the handlers of its methods, or with a function for GET. */
const adding = <R>(table: RouteTable<R>, server: ServerContext) => {
  const add = (path: `/${string}`, form: Form, byMethod: ReadonlyMap<string, Handler<R>>): void =>
    table.add(path, { byMethod, notAllowed: methodRefusal(path, allowedMethods(byMethod.keys()), form, server) })
  const addGet = (path: `/${string}`, serve: Parameters<typeof envelopeHandler<R>>[1]): void =>
    add(path, "envelope", new Map([["GET", envelopeHandler(path, serve, server)]]))
  return { add, addGet }
}

/**
 * Parses the issuer of the API. Fails if it differs from the issuer of the access tokens, because clients would see two
 * issuers.
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

/**
 * Computes a hash so that its key is loaded before the first request. Otherwise, a health check might have to wait for
 * the database.
 */
const loadHashKey = Effect.catchCause(keepRequestId("first"), () => Effect.void)

const openRoutes = Effect.fnUntraced(function*(given: ServingOptions) {
  yield* ensureJobPorts
  yield* startSignInMetrics
  yield* startRequestMetrics(endpoints)
  yield* Effect.forkScoped(loadHashKey)
  const options = { ...given, issuer: yield* parseServedIssuer(given.issuer) }
  const server = serverContextOf(options)
  yield* Effect.addFinalizer(() => server.deadlines.close)
  const gates = makeGates(options)
  const handlerOf: (endpoint: Endpoint) => Handler<HandlerServices> = makeHandlerFactory(options, gates, server)
  const table = makeTable<HandlerServices>(server)
  const { add, addGet } = adding(table, server)
  const served = options.operations === false ? endpoints.filter(({ kind }) => kind === "system") : endpoints
  for (const [path, group] of Map.groupBy(served, ({ path }) => path)) {
    const form = group.some(({ kind }) => kind === "token") ? "oauth2" : "envelope"
    const byMethod = new Map(group.map((endpoint) => [endpoint.method, handlerOf(endpoint)]))
    add(path, form, byMethod)
    if (server.basePath !== "" && path === metadataPath("")) add(metadataPath(server.basePath), form, byMethod)
  }
  const documentationPages = options.documentation === false ? [] : documentation(server.basePath)
  for (const { path, serve } of documentationPages) addGet(path, serve)
  for (const document of options.documents ?? []) addGet(document.path, serveOpenDocument(document))
  if (options.console !== undefined) {
    const { encode, routes } = options.console
    for (const { path, serve } of routes({ ...gates, issuer: options.issuer })) {
      const byMethod = new Map<string, Handler<HandlerServices>>()
      for (const [method, answer] of Object.entries(serve)) {
        byMethod.set(method, handleRequest<Refusal, HandlerServices>(path, server, encode, answer))
      }
      add(path, "envelope", byMethod)
    }
  }
  return table
})

/**
 * Provides all routes of the API. Keeps rate-limit buckets in memory. Fails with `OptionRefused` if the issuer is
 * invalid or differs from that of the access tokens.
 */
export const layerRoutes = (options: ServingOptions): Layer.Layer<ApiRoutes, OptionRefused, Issuer> =>
  Layer.effect(ApiRoutes, openRoutes(options))

/** Creates the routes of a server that serves only documents. Every other path gets 404. */
export const openDocumentRoutes = Effect.fnUntraced(function*(served: ReadonlyArray<OpenDocument>) {
  const server = serverContextOf({})
  yield* Effect.addFinalizer(() => server.deadlines.close)
  const table = makeTable<never>(server)
  const { addGet } = adding(table, server)
  for (const document of served) addGet(document.path, serveOpenDocument(document))
  return table
})
