import { type Effect, type Layer, type Result } from "effect"
import { type AdministrationFunctions } from "./AdministrationFunctions.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type IdentityFunctions } from "./IdentityFunctions.ts"
import { type OperatorFunctions } from "./OperatorFunctions.ts"
import { type OriginationFunctions } from "./OriginationFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/**
 * Every use case as a function of a promise, over ports that were opened. `More` are services that the layer provides beside the
 * ports of the use cases.
 */
export interface Lastro<More = never>
  extends AdministrationFunctions, IdentityFunctions, OperatorFunctions, OriginationFunctions, AsyncDisposable
{
  /** Runs an effect over the ports, for what has no function of its own. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, UseCasePorts | More>,
    options?: CallOptions
  ) => Promise<Result.Result<A, E>>
  /** The ports as they were opened, for what else is to be built over them, such as the API; they are closed with this. */
  readonly layer: Layer.Layer<UseCasePorts | More>
  /** Takes no call any more, lets go who waits for a status, waits for calls in progress, and closes the ports. */
  readonly close: () => Promise<void>
}
