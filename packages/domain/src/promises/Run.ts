import { type Effect, type Result } from "effect"
import { type CallOptions } from "./CallOptions.ts"

/** Builds an effect, runs it with the open ports, and resolves with its result. */
export type Run<Ports> = <A, E>(
  effect: () => Effect.Effect<A, E, Ports>,
  options?: CallOptions
) => Promise<Result.Result<A, E>>
