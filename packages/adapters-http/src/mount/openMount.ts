import { NotFound, StatusWatch } from "@lastro/domain"
import { Context, type Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest } from "effect/http"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { type ApiPorts, layer as layerApi, type ServingOptions } from "../layer.ts"
import { basePathOf } from "../options/basePathOf.ts"
import { parseIssuer } from "../options/parseIssuer.ts"
import { parsePrefix } from "../options/parsePrefix.ts"
import { openHandler } from "../pipeline/handlers.ts"
import { surroundingsOf } from "../pipeline/surroundingsOf.ts"
import { metadataPath } from "../system/metadataPath.ts"
import { layerReadiness, Readiness } from "../system/Readiness.ts"
import { below } from "./below.ts"
import { Peer } from "./Peer.ts"
import { Underway } from "./Underway.ts"
import { wholeUrl } from "./wholeUrl.ts"

/** How the API is mounted in a server of somebody else's. */
export interface MountOptions extends ServingOptions {
  /**
   * What comes before the paths of the API in the requests that arrive, such as `/lending`: the path of the issuer unless given, and
   * `""` where the framework, or a proxy, has taken it away already. Letters, digits, `-`, `.`, `_` and `~` after each slash; one at
   * the end is taken off.
   */
  readonly prefix?: string
  /**
   * How long a close waits for requests that are being answered; ten seconds unless given. Those that are left then are answered 503,
   * but for node's whose body is still arriving: their connection is cut.
   */
  readonly patience?: Duration.Input
}

/** What to look for in the API: a URL below the prefix, or the place of the metadata that no prefix comes before. */
const wantedFrom = (prefix: string, basePath: string) => {
  const metadata = metadataPath(basePath)
  return (left: string, source: unknown): string | undefined => {
    const url = prefix === "" ? left : wholeUrl(left, source)
    return url.split("?", 1)[0] === metadata ? url : below(prefix, url)
  }
}

/** Those services of a layer that requests are answered with, and one that says whether they can be. */
const served = (ports: Context.Context<ApiPorts>) =>
  Effect.map(
    Option.match(Context.getOption(ports, Readiness), {
      onNone: () => Layer.build(Layer.provide(layerReadiness, Layer.succeedContext(ports))),
      onSome: (readiness) => Effect.succeed(Context.make(Readiness, readiness))
    }),
    (readiness) =>
      Context.merge(ports, readiness).pipe(
        // The spans of the HTTP server hold whole URLs and addresses; the API makes spans that do not.
        Context.add(HttpMiddleware.TracerDisabledWhen, () => true)
      )
  )

/** The API over ports that were built, before it is made a function of some kind of request. */
export const openMount = Effect.fnUntraced(function*<E>(ports: Layer.Layer<ApiPorts, E>, given: MountOptions) {
  const issuer = yield* Effect.fromResult(parseIssuer(given.issuer))
  const options = { ...given, issuer }
  const basePath = basePathOf(issuer)
  const prefix = yield* Effect.fromResult(parsePrefix(given.prefix ?? basePath))
  const scope = yield* Scope.make()
  const open = Effect.gen(function*() {
    const services = yield* served(yield* Layer.build(ports))
    const api = yield* HttpRouter.toHttpEffect(Layer.provide(layerApi(options), Layer.succeedContext(services)))
    return { services, api }
  })
  const { api, services } = yield* open.pipe(
    Scope.provide(scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  const underway = new Underway()
  const wanted = wantedFrom(prefix, basePath)
  const refusing = (refusal: NotFound | ServiceUnavailable) =>
    openHandler("unknown", () => Effect.fail(refusal), surroundingsOf(options))
  const notFound = refusing(new NotFound())
  const closing = refusing(new ServiceUnavailable())
  const app = Effect.gen(function*() {
    yield* underway.begin
    const request = yield* HttpServerRequest.HttpServerRequest
    const peer = yield* Peer
    const url = wanted(request.url, request.source)
    return yield* Effect.provideService(
      underway.isClosing ? closing : url === undefined ? notFound : api,
      HttpServerRequest.HttpServerRequest,
      request.modify({
        ...(url === undefined ? {} : { url }),
        ...(peer === undefined ? {} : { remoteAddress: Option.some(peer) })
      })
    )
  })
  const close = Effect.gen(function*() {
    yield* underway.close
    yield* Context.get(services, StatusWatch).release
    yield* underway.end(options.patience ?? "10 seconds")
    yield* Scope.close(scope, Exit.void)
  })
  return { app, services, wanted, close: yield* Effect.cached(close) }
})
