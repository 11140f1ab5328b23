import { type Effect, type Layer, type Result } from "effect"
import { type CallOptions } from "./CallOptions.ts"

/**
 * The functions that every facade has. A facade is an object that runs use cases and returns promises, such as
 * `Lastro`.
 */
export interface Facade<Ports> extends AsyncDisposable {
  /** Runs any effect with the open ports. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports>, options?: CallOptions) => Promise<Result.Result<A, E>>
  /**
   * The open ports as a layer, for example to serve the HTTP API or to open another facade with the same ports. Closing
   * this facade closes the ports.
   */
  readonly layer: Layer.Layer<Ports>
  /** Rejects new calls, ends long polls, waits for calls in progress, and closes the ports. */
  readonly close: () => Promise<void>
}
