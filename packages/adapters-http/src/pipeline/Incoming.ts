import { type Effect, type Option, type Stream } from "effect"

/**
 * A request as the pipeline reads it. A request of Effect's HTTP server has this form, and so has a request of Node's HTTP server after
 * `NodeIncoming` has wrapped it.
 */
export interface Incoming {
  /** The request object of the platform. */
  readonly source: object
  readonly method: string
  /** The path and query within the API. */
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
