import { Effect, Exit, type Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { type Incoming } from "../pipeline/Exchange.ts"
import { type Found } from "../pipeline/RouteTable.ts"
import { type Outgoing, type RunningRequest } from "../pipeline/RunningRequest.ts"
import { type HandlerServices } from "./ApiRoutes.ts"
import { type ApiPorts } from "./layer.ts"
import { type MountOptions, openMount } from "./openMount.ts"
import { sendToClient, waitForClient } from "./sendToClient.ts"

/** Data about a request that a Fetch `Request` does not contain. */
export interface RequestOrigin {
  /** The peer address of the connection, for the rate limits per network. Without it, all clients share one bucket. */
  readonly remote_address?: string | undefined
}

/** The API as a handler of Fetch API requests. */
export interface MountedApi extends AsyncDisposable {
  /**
   * Answers a Fetch API request. Aborting the request's signal interrupts it. Rejects with a `TypeError` if the
   * argument is not a `Request`. Any other error becomes a response.
   */
  readonly fetch: (request: Request, from?: RequestOrigin) => Promise<Response>
  /**
   * Rejects new requests with 503, answers long polls at once, waits for other active requests, and closes the layer.
   * Long polls of other code that shares the ports end at once, too.
   */
  readonly close: () => Promise<void>
}

type Mount = Effect.Success<ReturnType<typeof openMount>>

/** Makes the body of a response from a stream. If the stream fails, the body fails. */
const bodyOf = (
  content: NonNullable<Outgoing["stream"]>,
  { signal }: Request,
  mount: Mount
): ReadableStream<Uint8Array> => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  sendToClient(content, {
    // The write fails if the client cancels the body.
    write: (chunk) =>
      waitForClient(Effect.catchDefect(Effect.promise(() => writer.write(chunk)), () => Effect.interrupt)),
    onDisconnect: (abort) => {
      writer.closed.catch(abort)
      if (signal.aborted) abort()
      else signal.addEventListener("abort", abort, { once: true })
      return () => signal.removeEventListener("abort", abort)
    },
    end: (exit) => {
      const end = Exit.isSuccess(exit) ? writer.close() : writer.abort(new Error("The file is incomplete"))
      end.catch(() => undefined)
    }
  }, mount)
  return readable
}

/** Converts the result of a request to a response. After an interruption or a defect, it has only a status. */
const toResponse = (request: Request, exit: Exit.Exit<Outgoing>, mount: Mount): Response => {
  const { method, signal } = request
  if (Exit.isFailure(exit)) {
    if (!Exit.hasInterrupts(exit)) return new Response(null, { status: 500 })
    return new Response(null, { status: signal.aborted ? 499 : 503 })
  }
  const { headers, status, stream, text } = exit.value
  if (method === "HEAD") return new Response(null, { status, headers })
  const body = stream === undefined ? text : bodyOf(stream, request, mount)
  return new Response(body ?? null, { status, headers })
}

/** Answers a Fetch API request. Interrupts the work if the signal of the request is aborted. */
const serveWeb = (
  request: Request,
  incoming: Incoming,
  { handler, params }: Found<HandlerServices>,
  mount: Mount
): Promise<Response> =>
  new Promise((resolve) => {
    const { signal } = request
    const { activeRequests, services } = mount
    const abort = () => running.abort()
    let isTracked = false
    const running: RunningRequest = handler(incoming, params, services, (exit) => {
      resolve(toResponse(request, exit, mount))
      signal.removeEventListener("abort", abort)
      if (isTracked) activeRequests.remove(running)
    })
    if (running.isSettled) return
    isTracked = true
    activeRequests.add(running)
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
  })

/** Converts a mount, which uses effects, to an API with promises. */
export const webMount = (mount: Mount): MountedApi => {
  const { close, find, gate, mountedUrl } = mount
  const closePromise = () => Effect.runPromise(close)
  return {
    fetch: async (request, { remote_address } = {}) => {
      // `instanceof` would fail, because frameworks have their own Request classes.
      if (typeof request.url !== "string") throw new TypeError("fetch requires a Request: new Request(url, init)")
      const sent = HttpServerRequest.fromWeb(request)
      const url = mountedUrl(sent.url, request)
      return gate.admitWeb(request, url, remote_address, () => {
        const incoming = sent.modify({ url: url ?? sent.url, remoteAddress: Option.fromUndefinedOr(remote_address) })
        return serveWeb(request, incoming, find(incoming.method, url), mount)
      })
    },
    close: closePromise,
    [Symbol.asyncDispose]: closePromise
  }
}

/**
 * Builds a layer of ports, and returns the API over these ports as a Fetch handler for any framework. The layer must
 * provide every port of the domain and `layerTokens`. It may provide a `Readiness`. To share the ports of an open
 * facade, pass its `layer`.
 *
 * Rejects with the layer's error if the layer cannot be built. Rejects with `OptionRefused` if the issuer or prefix is
 * invalid, or if the issuer differs from that of the access tokens.
 */
export const mountApi = <E>(ports: Layer.Layer<ApiPorts, E>, options: MountOptions): Promise<MountedApi> =>
  Effect.runPromise(Effect.map(openMount(ports, options), webMount))
