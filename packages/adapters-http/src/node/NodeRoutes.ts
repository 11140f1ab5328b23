import * as NodeStream from "@effect/platform-node/NodeStream"
import { Cause, Context, Effect, Exit, Option, type Stream } from "effect"
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import { limitSending } from "../limits/limitSending.ts"
import { ActiveRequests } from "../mount/ActiveRequests.ts"
import { ApiRoutes, type HandlerServices } from "../mount/ApiRoutes.ts"
import { type Incoming } from "../pipeline/Exchange.ts"
import { maxBodyBytes } from "../pipeline/readBody.ts"
import { type Found, type RouteTable } from "../pipeline/RouteTable.ts"
import { type Outgoing, type RunningRequest } from "../pipeline/RunningRequest.ts"
import { sendStream } from "./sendStream.ts"

/** Answers most requests of Node's HTTP server without the layers of Effect's HTTP server. */
export class NodeRoutes {
  readonly #routes: RouteTable<HandlerServices>
  readonly #context: Context.Context<HandlerServices>
  readonly #active = new ActiveRequests()

  constructor(routes: RouteTable<HandlerServices>, context: Context.Context<HandlerServices>) {
    this.#routes = routes
    // Copy the context into a new map: a context with few layers is faster to read and extend.
    this.#context = Context.makeUnsafe(new Map(context.mapUnsafe))
  }

  /**
   * Answers a request and returns true. Returns false if Effect's HTTP server must answer it, for example because its
   * body is large.
   */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isPlain(request)) return false
    const { method = "GET", url = "/" } = request
    serveNode(request, response, url, this.#routes.find(method, url), this.#context, this.#active)
    return true
  }

  /** Interrupts all requests, which get 503, and waits until they have ended. */
  get interruptAll(): Effect.Effect<void> {
    return this.#active.interruptAll
  }
}

/** Makes the routes of the API for Node's HTTP server. */
export const openNodeRoutes: Effect.Effect<NodeRoutes, never, ApiRoutes | HandlerServices> = Effect.contextWith(
  (context: Context.Context<ApiRoutes | HandlerServices>) =>
    Effect.sync(() => new NodeRoutes(Context.get(context, ApiRoutes), context))
)

/** Returns whether a request has a body (RFC 9112 §6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined

/** Returns whether a request has no body, or a small one with a declared length. */
const isSmall = (request: IncomingMessage): boolean => {
  if (!hasBody(request)) return true
  const { connection, "content-length": length, "transfer-encoding": encoding } = request.headers
  // With `Connection: close`, Node would close the connection before it has read the body, and the client could lose
  // the response.
  const closes = connection !== undefined && connection.toLowerCase() !== "keep-alive"
  return !closes && encoding === undefined && Number(length) <= maxBodyBytes
}

/**
 * Returns whether a request can be answered without Effect's HTTP server. It must be HTTP/1.1 with a path as its target
 * (RFC 9112 §3.2.1), and have at most a small body. Effect's HTTP server limits large bodies, handles `Expect` headers,
 * and resolves URLs in absolute form.
 */
export const isPlain = (request: IncomingMessage): boolean => {
  const { headers, httpVersion, url } = request
  return httpVersion === "1.1" && url?.startsWith("/") === true && headers.expect === undefined &&
    headers.upgrade === undefined && isSmall(request)
}

/** Answers a request for which `isPlain` is true. Interrupts the work if the client disconnects. */
export const serveNode = (
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  { handler, params }: Found<HandlerServices>,
  context: Context.Context<HandlerServices>,
  active: ActiveRequests
): void => {
  let isTracked = false
  const running: RunningRequest = handler(new NodeIncoming(request, url), params, context, (exit) => {
    const content = send(request, response, exit)
    if (content !== undefined) sendStream(response, content, context, active)
    if (isTracked) active.remove(running)
  })
  if (running.isSettled) return
  isTracked = true
  active.add(running)
  response.on("close", () => {
    if (!response.writableEnded) running.abort()
  })
}

/**
 * Returns whether each header has one value. Only `Set-Cookie` can have several in Node; requests normally do not have
 * it.
 */
const hasSingleValues = (headers: IncomingHttpHeaders): headers is Record<string, string | undefined> =>
  headers["set-cookie"] === undefined

/** Created only once, because each new error records its stack, which takes time. */
const disconnected = Effect.fail(new Cause.UnknownError(undefined, "The client disconnected"))

class NodeIncoming implements Incoming {
  readonly source: IncomingMessage
  readonly url: string
  readonly method: string
  readonly headers: Incoming["headers"]

  /** `url` is the URL within the API, without the mount prefix. */
  constructor(source: IncomingMessage, url: string) {
    const { headers } = source
    this.source = source
    this.url = url
    this.method = source.method ?? "GET"
    this.headers = hasSingleValues(headers) ? headers : { ...headers, "set-cookie": undefined }
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromUndefinedOr(this.source.socket.remoteAddress)
  }

  /** Faster than `NodeStream`, which listens to all events that can end a stream. */
  get arrayBuffer(): Effect.Effect<ArrayBuffer, Cause.UnknownError> {
    return Effect.callback((resume) => {
      const chunks: Array<Uint8Array> = []
      this.source
        .on("data", (chunk: Uint8Array) => chunks.push(chunk))
        .once("end", () => resume(Effect.succeed(new Uint8Array(Buffer.concat(chunks)).buffer)))
        // Has no effect after `end`. If the client disconnects, this is the only event.
        .once("close", () => resume(disconnected))
      return Effect.sync(() => this.source.destroy())
    })
  }

  get stream(): Stream.Stream<Uint8Array, Error> {
    return NodeStream.fromReadable({ evaluate: () => this.source })
  }
}

/**
 * Sends the response of a request. If the request was interrupted or failed with a defect, sends only a status. Returns
 * the body if it is a stream.
 */
const send = (request: IncomingMessage, response: ServerResponse, exit: Exit.Exit<Outgoing>): Content | undefined => {
  if (response.destroyed || response.writableEnded) return undefined
  let content: Content | undefined
  try {
    content = write(request, response, exit)
  } catch {
    // Node rejects the response, for example because a header contains an invalid character.
    response.destroy()
  }
  // Discard the rest of the body, so that the connection can be reused.
  if (hasBody(request) && !request.complete) request.resume()
  return content
}

type Content = NonNullable<Outgoing["stream"]>

/** Writes a response. If its body is a stream, writes only the headers and returns the stream. */
const write = (
  { method }: IncomingMessage,
  response: ServerResponse,
  exit: Exit.Exit<Outgoing>
): Content | undefined => {
  if (Exit.isFailure(exit)) return void response.writeHead(Exit.hasInterrupts(exit) ? 503 : 500).end()
  const { headers, status, stream, text } = exit.value
  response.writeHead(status, headers)
  if (stream !== undefined && method !== "HEAD") return stream
  if (method === "HEAD") response.end()
  else response.end(text)
  // The client has not read the whole response yet.
  if (response.writableLength > 0) limitSending(response)
  return undefined
}
