import { type Effect, type Layer, type Result } from "effect"
import { type CallerFunctions } from "./CallerFunctions.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type IdentityFunctions } from "./IdentityFunctions.ts"
import { type TransactionFunctions } from "./LastroTransaction.ts"
import { type LenderFunctions } from "./LenderFunctions.ts"
import { type OperatorFunctions } from "./OperatorFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** Every use case as a function that returns a promise. `More` are services that the layer provides besides the ports. */
export interface Lastro<More = never>
  extends
    CallerFunctions,
    IdentityFunctions,
    LenderFunctions,
    OperatorFunctions,
    TransactionFunctions<More>,
    AsyncDisposable
{
  /** Runs any effect with the open ports. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, UseCasePorts | More>,
    options?: CallOptions
  ) => Promise<Result.Result<A, E>>
  /** The open ports as a layer, for example to serve the HTTP API with the same ports. Closing this Lastro closes the ports. */
  readonly layer: Layer.Layer<UseCasePorts | More>
  /** Rejects new calls, releases long polls, waits for calls in progress, and closes the ports. */
  readonly close: () => Promise<void>
}

/** Thrown by a call after `close`. */
export class LastroClosed extends Error {
  override readonly name = "LastroClosed"
  constructor() {
    super("This Lastro is closed. Open another one with openLastro.")
  }
}
