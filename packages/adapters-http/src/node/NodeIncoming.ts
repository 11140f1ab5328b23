import * as NodeStream from "@effect/platform-node/NodeStream"
import { type Effect, Option, type Stream } from "effect"
import { type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { type Incoming } from "../pipeline/Incoming.ts"
import { maxBodyBytes } from "../pipeline/readBytes.ts"

/** Returns whether a request has a body (RFC 9112 §6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined

/** Returns whether a request has no body, or a small one whose length is declared. */
const isSmall = (request: IncomingMessage): boolean => {
  if (!hasBody(request)) return true
  const { connection, "content-length": length, "transfer-encoding": encoding } = request.headers
  // With `Connection: close`, Node would close the connection before it has read the body, and the client could lose
  // the response.
  const closes = connection !== undefined && connection.toLowerCase() !== "keep-alive"
  return !closes && encoding === undefined && Number(length) <= maxBodyBytes
}

/**
 * Returns whether Lastro can answer a request without Effect's HTTP server. The request must be HTTP/1.1, name its path
 * (RFC 9112 §3.2.1) and have at most a small body. Effect's HTTP server limits large bodies, handles `Expect` headers,
 * and resolves URLs in absolute form.
 */
export const isPlain = (request: IncomingMessage): boolean => {
  const { headers, httpVersion, url } = request
  return httpVersion === "1.1" && url?.startsWith("/") === true && headers.expect === undefined &&
    headers.upgrade === undefined && isSmall(request)
}

/**
 * Returns whether each header has one value. Node makes a list only of `Set-Cookie`, which requests normally do not
 * have.
 */
const hasSingleValues = (headers: IncomingHttpHeaders): headers is Record<string, string | undefined> =>
  headers["set-cookie"] === undefined

/** A request of Node's HTTP server. */
export class NodeIncoming implements Incoming {
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

  get arrayBuffer(): Effect.Effect<ArrayBuffer, Error> {
    return NodeStream.toArrayBuffer(() => this.source)
  }

  get stream(): Stream.Stream<Uint8Array, Error> {
    return NodeStream.fromReadable({ evaluate: () => this.source })
  }
}
