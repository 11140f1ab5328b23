import { type Option } from "effect"
import { type HttpServerRequest } from "effect/http"

/**
 * A request as the pipeline reads it. A request of Effect's HTTP server has this form, and so has a request of Node's HTTP server after
 * `NodeIncoming` has wrapped it.
 */
export interface Incoming extends Pick<HttpServerRequest.HttpServerRequest, "arrayBuffer" | "source" | "stream"> {
  readonly method: string
  /** The path and query within the API. */
  readonly url: string
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The peer address of the connection. */
  readonly remoteAddress: Option.Option<string>
}
