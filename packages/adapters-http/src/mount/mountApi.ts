import { Context, Effect, type Layer } from "effect"
import { HttpEffect } from "effect/http"
import { type Readiness } from "../system/Readiness.ts"
import { type ApiPorts } from "./layer.ts"
import { type MountOptions, openMount, Peer } from "./openMount.ts"

/** The data of a request that a Fetch `Request` does not contain. */
export interface RequestOrigin {
  /**
   * The peer address of the connection. Token operations are rate-limited by this address. Without the address, all clients
   * share one bucket.
   */
  readonly remote_address?: string | undefined
}

/** The API as a handler of Fetch API requests. */
export interface MountedApi extends AsyncDisposable {
  /**
   * Answers a Fetch API request. Aborting the request's signal interrupts the handler. Rejects with a `TypeError` if
   * the argument is not a `Request`. Any other error is returned as a response.
   */
  readonly fetch: (request: Request, from?: RequestOrigin) => Promise<Response>
  /**
   * Rejects new requests with 503, answers long polls at once, waits for the other active requests, and closes the
   * layer. If other code shares the ports, its long polls end at once too.
   */
  readonly close: () => Promise<void>
}

type Mount = Effect.Success<ReturnType<typeof openMount>>

/** Converts a mount, which uses effects, to an API of promises. */
export const webMount = ({ app, close, gate, mountedUrl, services }: Mount): MountedApi => {
  const handler = HttpEffect.toWebHandlerWith<ApiPorts | Readiness, Effect.Services<Mount["app"]>>(services)(app)
  const closePromise = () => Effect.runPromise(close)
  return {
    fetch: async (request, from) => {
      // Do not use `instanceof`, because frameworks have Request classes of their own.
      if (typeof request.url !== "string") throw new TypeError("fetch requires a Request: new Request(url, init)")
      const { pathname, search } = new URL(request.url)
      return gate.admitWeb(
        request,
        mountedUrl(pathname + search, request),
        from?.remote_address,
        () => handler(request, Context.make(Peer, from?.remote_address))
      )
    },
    close: closePromise,
    [Symbol.asyncDispose]: closePromise
  }
}

/**
 * Builds a layer of ports and returns the API over these ports as a Fetch handler for any framework. The layer must
 * provide every port of the domain and `layerTokens`. It may provide a `Readiness`. To share the ports of an open
 * facade, pass its `layer`.
 *
 * Rejects with the layer's error if the layer cannot be built. Rejects with `OptionRefused` if the issuer or prefix is
 * invalid, or if the issuer differs from that of the access tokens.
 */
export const mountApi = <E>(ports: Layer.Layer<ApiPorts, E>, options: MountOptions): Promise<MountedApi> =>
  Effect.runPromise(Effect.map(openMount(ports, options), webMount))
