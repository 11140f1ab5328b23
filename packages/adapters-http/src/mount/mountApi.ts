import { Context, Effect, type Layer } from "effect"
import { HttpEffect } from "effect/http"
import { type ApiPorts } from "../layer.ts"
import { type Readiness } from "../system/Readiness.ts"
import { type MountOptions, openMount } from "./openMount.ts"
import { Peer } from "./Peer.ts"

/** What a request does not say about where it came from. */
export interface RequestOrigin {
  /** The address of the connection: what the token operations are limited by. Without it all clients share one bucket. */
  readonly remote_address?: string | undefined
}

/** The API, as a function of requests. */
export interface MountedApi extends AsyncDisposable {
  /**
   * Answers a request of the Fetch API. Aborting its signal ends what it began. The promise is rejected with a `TypeError` where what
   * is given is no `Request`, and never else: what goes wrong is an answer.
   */
  readonly fetch: (request: Request, from?: RequestOrigin) => Promise<Response>
  /**
   * Refuses new requests with 503, has those that wait for a status answered at once, waits for the others, and closes the layer.
   * Who shares its ports can wait for a status no more either.
   */
  readonly close: () => Promise<void>
}

type Mount = Effect.Success<ReturnType<typeof openMount>>

/** The mount as functions of promises. */
export const webMount = ({ app, close, services }: Mount): MountedApi => {
  const handler = HttpEffect.toWebHandlerWith<ApiPorts | Readiness, Effect.Services<Mount["app"]>>(services)(app)
  const end = () => Effect.runPromise(close)
  return {
    fetch: async (request, from) => {
      // Not `instanceof`: frameworks have classes of their own.
      if (typeof request.url !== "string") throw new TypeError("fetch takes a Request: new Request(url, init)")
      return handler(request, Context.make(Peer, from?.remote_address))
    },
    close: end,
    [Symbol.asyncDispose]: end
  }
}

/**
 * Builds a layer of ports, and the API over it as a function of requests, to be called by a server of any framework. Rejected
 * with the error of the layer where that cannot be built, and with `OptionRefused` where the issuer or the prefix cannot be one, or
 * the issuer is not that of the tokens. The layer has to be one of every port of the domain, of `layerTokens`, and may bring a
 * `Readiness`; `lastro.layer` of an opened facade shares its ports.
 */
export const mountApi = <E>(ports: Layer.Layer<ApiPorts, E>, options: MountOptions): Promise<MountedApi> =>
  Effect.runPromise(Effect.map(openMount(ports, options), webMount))
