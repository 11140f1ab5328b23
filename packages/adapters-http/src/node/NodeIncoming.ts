import { Effect, Option, Stream } from "effect"
import { type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { type Incoming } from "../pipeline/Incoming.ts"

/** Returns whether a request has no body (RFC 9112 §6.3). */
const hasNoBody = (headers: IncomingHttpHeaders): boolean =>
  (headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined

/**
 * Returns whether a request is HTTP/1.1 without a body and names its path (RFC 9112 §3.2.1). The other requests need more of Effect's HTTP
 * server: it reads bodies, continues expectations and resolves URLs in absolute form.
 */
export const isPlain = ({ headers, httpVersion, url }: IncomingMessage): boolean =>
  httpVersion === "1.1" && url?.startsWith("/") === true && hasNoBody(headers) && headers.expect === undefined &&
  headers.upgrade === undefined

/** Returns whether each header has one value. Only `Set-Cookie`, which requests do not have, is a list. */
const hasSingleValues = (headers: IncomingHttpHeaders): headers is Record<string, string | undefined> =>
  headers["set-cookie"] === undefined

const noBytes = Effect.sync(() => new ArrayBuffer(0))

/** A request of Node's HTTP server without a body. */
export class NodeIncoming implements Incoming {
  readonly source: IncomingMessage
  readonly url: string
  readonly method: string
  readonly headers: Incoming["headers"]
  readonly arrayBuffer: Incoming["arrayBuffer"] = noBytes
  readonly stream: Incoming["stream"] = Stream.empty

  /** `url` is the URL within the API. */
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
}
