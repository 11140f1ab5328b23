import { type Effect, type Option, type Stream } from "effect"

/**
 * A request in the form that the pipeline reads. Requests of Effect's HTTP server have this form. `NodeIncoming`
 * converts requests of Node's HTTP server to it.
 */
export interface Incoming {
  /** The request object of the platform, for example of Node. */
  readonly source: object
  readonly method: string
  /** The path and query, without the mount prefix. */
  readonly url: string
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The peer address of the connection. */
  readonly remoteAddress: Option.Option<string>
  /** The whole body. */
  readonly arrayBuffer: Effect.Effect<ArrayBuffer, Error>
  /** The body in pieces. */
  readonly stream: Stream.Stream<Uint8Array, Error>
}
