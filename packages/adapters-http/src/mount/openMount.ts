import { NotFound } from "@lastro/domain/hierarchy"
import { StatusWatch } from "@lastro/domain/origination"
import { Context, type Duration, Effect, Exit, Layer, Option, Predicate, Scope } from "effect"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { layerReadiness, Readiness } from "../operations/Readiness.ts"
import { serverContextOf } from "../pipeline/Exchange.ts"
import { type Found } from "../pipeline/RouteTable.ts"
import { basePathOf, parseIssuer, parsePrefix } from "../security/parseIssuer.ts"
import { ActiveRequests } from "./ActiveRequests.ts"
import { ApiRoutes, envelopeHandler, type HandlerServices, layerRoutes } from "./ApiRoutes.ts"
import { type ApiPorts } from "./layer.ts"
import { type AdmissionOptions, openGate } from "./RequestGate.ts"
import { metadataPath } from "./servedDocuments.ts"
import { type ServingOptions } from "./ServingOptions.ts"

/** Options of the API when it is mounted into another server. */
export interface MountOptions extends ServingOptions, AdmissionOptions {
  /**
   * The path prefix of incoming requests, such as `/lending`. Pass `""` if the framework or a proxy removes the prefix.
   * Segments may contain letters, digits, `-`, `.`, `_` and `~`. A trailing slash is removed. Default: the path of the
   * issuer.
   */
  readonly prefix?: string | undefined
  /**
   * Maximum time for which `close` waits for active requests. The remaining requests then get 503. A Node request whose
   * body is still arriving gets no response: its connection is destroyed. Default: 10 s.
   */
  readonly closeTimeout?: Duration.Input | undefined
}

/** Returns the ports with a `Readiness`: their own, or else the default. */
const withReadiness = (ports: Context.Context<ApiPorts>) =>
  Option.match(Context.getOption(ports, Readiness), {
    onNone: () =>
      Effect.map(
        Layer.build(Layer.provide(layerReadiness, Layer.succeedContext(ports))),
        (readiness) => Context.merge(ports, readiness)
      ),
    // Adding it again changes only its type.
    onSome: (readiness) => Effect.succeed(Context.add(ports, Readiness, readiness))
  })

/**
 * Removes a prefix from the path of a URL, and keeps the query. Returns undefined if the path is not below the prefix.
 */
const stripPrefix = (prefix: string, url: string): string | undefined => {
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/**
 * Returns the path and query that the client requested, because a framework may have removed the mount path from `url`.
 * Express keeps the mount path in `baseUrl`. Connect and middie keep the whole URL in `originalUrl`. If `originalUrl`
 * does not end with `url`, other middleware has rewritten the URL, and `url` is returned.
 */
const originalUrl = (url: string, source: unknown): string => {
  const propertyOf = (name: "baseUrl" | "originalUrl") =>
    Predicate.hasProperty(source, name) && typeof source[name] === "string" ? source[name] : undefined
  const base = propertyOf("baseUrl")
  if (base !== undefined) return `${base}${url}`
  // If the client requested the mount path itself, the framework has added a slash.
  const remaining = url.replace(/^\/(?=\?|$)/, "")
  const original = propertyOf("originalUrl")
  return original?.endsWith(remaining) ? original : url
}

/**
 * Returns a function that converts the URL of a request to the URL within the API, without the prefix. The path of the
 * OAuth 2 metadata has no prefix and stays unchanged. Returns undefined for a URL outside the API.
 */
const makeMountedUrl = (prefix: string, basePath: string) => {
  const metadata = metadataPath(basePath)
  return (requestUrl: string, source: unknown): string | undefined => {
    const url = prefix === "" ? requestUrl : originalUrl(requestUrl, source)
    return url.split("?", 1)[0] === metadata ? url : stripPrefix(prefix, url)
  }
}

/** Builds the ports, and the parts that serve the API with them. */
export const openMount = Effect.fnUntraced(function*<E>(ports: Layer.Layer<ApiPorts, E>, given: MountOptions) {
  const issuer = yield* Effect.fromResult(parseIssuer(given.issuer))
  const options = { ...given, issuer }
  const basePath = basePathOf(issuer)
  const prefix = yield* Effect.fromResult(parsePrefix(given.prefix ?? basePath))
  const scope = yield* Scope.make()
  const open = Effect.gen(function*() {
    const services = yield* withReadiness(yield* Layer.build(ports))
    const routes = yield* Layer.build(Layer.provide(layerRoutes(options), Layer.succeedContext(services)))
    return { services, routes: Context.get(routes, ApiRoutes) }
  })
  const { routes, services } = yield* open.pipe(
    Scope.provide(scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  const activeRequests = new ActiveRequests()
  const mountedUrl = makeMountedUrl(prefix, basePath)
  const gate = yield* Effect.provideContext(openGate(options), services)
  // These fallback handlers do not warn about ignored `X-Forwarded-For` headers, because the routes of the API do.
  const server = { ...serverContextOf(options), forwarding: undefined }
  const refuseWith = (refusal: NotFound | ServiceUnavailable): Found<HandlerServices> => ({
    handler: envelopeHandler("unknown", () => Effect.fail(refusal), server),
    params: {}
  })
  const notFound = refuseWith(new NotFound())
  const closing = refuseWith(new ServiceUnavailable())
  /** Finds the handler of a request by its method and its URL within the API. */
  const find = (method: string, url: string | undefined): Found<HandlerServices> => {
    if (activeRequests.isClosing) return closing
    return url === undefined ? notFound : routes.find(method, url)
  }
  const close = Effect.gen(function*() {
    yield* activeRequests.refuseNew
    yield* Context.get(services, StatusWatch).release
    yield* activeRequests.drain(options.closeTimeout ?? "10 seconds")
    yield* server.deadlines.close
    yield* Scope.close(scope, Exit.void)
  })
  return { find, activeRequests, gate, services, mountedUrl, close: yield* Effect.cached(close) }
})
