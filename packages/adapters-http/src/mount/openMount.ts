import { NotFound } from "@lastro/domain/hierarchy"
import { StatusWatch } from "@lastro/domain/origination"
import { Context, type Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import { HttpMiddleware, HttpServerRequest } from "effect/http"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { noForwardingWarning } from "../limits/warnOfForwarding.ts"
import { basePathOf, parseIssuer, parsePrefix } from "../options/parseIssuer.ts"
import { openHandler } from "../pipeline/handlers.ts"
import { type Found } from "../pipeline/RouteTable.ts"
import { serverContextOf } from "../pipeline/ServerContext.ts"
import { layerReadiness, Readiness } from "../system/Readiness.ts"
import { ActiveRequests } from "./ActiveRequests.ts"
import { ApiRoutes, type HandlerServices, layerRoutes } from "./ApiRoutes.ts"
import { answerWith, type ApiPorts } from "./layer.ts"
import { makeMountedUrl } from "./mountedUrl.ts"
import { type AdmissionOptions, openGate } from "./RequestGate.ts"
import { type ServingOptions } from "./ServingOptions.ts"

/** Options of the API when another server mounts it. */
export interface MountOptions extends ServingOptions, AdmissionOptions {
  /**
   * The path prefix of incoming requests, such as `/lending`. Pass `""` if the framework or a proxy removes the prefix.
   * Each segment may contain letters, digits, `-`, `.`, `_` and `~`. A trailing slash is removed. Default: the path of
   * the issuer.
   */
  readonly prefix?: string
  /**
   * Maximum time for which `close` waits for active requests. The remaining requests are then answered with 503. The
   * exception is a Node request whose body is still arriving: its connection is destroyed. Default: 10 s.
   */
  readonly closeTimeout?: Duration.Input
}

/**
 * The peer address that the host server passes with a request. Undefined if the request itself contains the address.
 */
export const Peer: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "@lastro/adapters-http/mount/openMount/Peer",
  { defaultValue: () => undefined }
)

/** Adds a `Readiness` if the ports provide none, and disables the spans of the HTTP server. */
const completePorts = (ports: Context.Context<ApiPorts>) =>
  Effect.map(
    Option.match(Context.getOption(ports, Readiness), {
      onNone: () => Layer.build(Layer.provide(layerReadiness, Layer.succeedContext(ports))),
      onSome: (readiness) => Effect.succeed(Context.make(Readiness, readiness))
    }),
    (readiness) =>
      Context.merge(ports, readiness).pipe(
        // The spans of the HTTP server contain whole URLs and client addresses. The API creates its own spans, which
        // contain neither.
        Context.add(HttpMiddleware.TracerDisabledWhen, () => true)
      )
  )

/** Builds the ports, and an HTTP app that serves the API with them. */
export const openMount = Effect.fnUntraced(function*<E>(ports: Layer.Layer<ApiPorts, E>, given: MountOptions) {
  const issuer = yield* Effect.fromResult(parseIssuer(given.issuer))
  const options = { ...given, issuer }
  const basePath = basePathOf(issuer)
  const prefix = yield* Effect.fromResult(parsePrefix(given.prefix ?? basePath))
  const scope = yield* Scope.make()
  const open = Effect.gen(function*() {
    const services = yield* completePorts(yield* Layer.build(ports))
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
  // The fallback handlers below do not log the warning about ignored `X-Forwarded-For` headers, because the routes of
  // the API log it.
  const around = { ...serverContextOf(options), forwarding: noForwardingWarning }
  const refuseWith = (refusal: NotFound | ServiceUnavailable): Found<HandlerServices> => ({
    handler: openHandler("unknown", () => Effect.fail(refusal), around),
    params: {}
  })
  const notFound = refuseWith(new NotFound())
  const closing = refuseWith(new ServiceUnavailable())
  /** Finds the handler of a request by its method and its URL within the API. */
  const find = (method: string, url: string | undefined): Found<HandlerServices> =>
    activeRequests.isClosing ? closing : url === undefined ? notFound : routes.find(method, url)
  const app = Effect.gen(function*() {
    yield* activeRequests.track
    const request = yield* HttpServerRequest.HttpServerRequest
    const peer = yield* Peer
    const url = mountedUrl(request.url, request.source)
    return yield* answerWith(
      find(request.method, url),
      request.modify({
        ...(url === undefined ? {} : { url }),
        ...(peer === undefined ? {} : { remoteAddress: Option.some(peer) })
      })
    )
  })
  const close = Effect.gen(function*() {
    yield* activeRequests.refuseNew
    yield* Context.get(services, StatusWatch).release
    yield* activeRequests.drain(options.closeTimeout ?? "10 seconds")
    yield* around.deadlines.close
    yield* Scope.close(scope, Exit.void)
  })
  return { app, find, activeRequests, gate, services, mountedUrl, close: yield* Effect.cached(close) }
})
