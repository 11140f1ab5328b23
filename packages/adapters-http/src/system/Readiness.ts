import { Context, type Effect } from "effect"

/** Whether this process can serve requests; the application knows what that takes. */
export class Readiness extends Context.Service<Readiness, {
  /** False while something that is needed is missing: not started yet, unreachable, or about to stop. */
  readonly isReady: Effect.Effect<boolean>
}>()("@lastro/adapters-http/system/Readiness") {}
