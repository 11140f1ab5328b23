import { Context, type Duration, type Effect } from "effect"
import { type ApplicationId } from "../values/ids.ts"

/** A long poll that waits for a change of an application. */
export interface StatusWaiter {
  /** The subject of the caller. The number of long polls for each caller is limited. */
  readonly subject: string
  readonly application_id: ApplicationId
  /** The stored `version` of the application that the caller already knows. */
  readonly version: number
  /** Maximum time to wait. */
  readonly timeout: Duration.Duration
}

/** The reason why a wait ended. TURNED_AWAY: there was no capacity for another long poll. RELEASED: the node is stopping. */
export type WaitResult = "CHANGED" | "TIMEOUT" | "TURNED_AWAY" | "RELEASED"

/** Waits for changes of applications. A waiting long poll holds no database connection. */
export class StatusWatch extends Context.Service<StatusWatch, {
  /** Waits until the version of the application differs from the waiter's version, or until the timeout expires. */
  readonly wait: (waiter: StatusWaiter) => Effect.Effect<WaitResult>
  /** Ends the waits for this application on this node with CHANGED. Call it after an event was recorded. */
  readonly changed: (id: ApplicationId) => Effect.Effect<void>
  /** Ends all waits and refuses new ones, because the node is stopping. */
  readonly release: Effect.Effect<void>
}>()("@lastro/domain/origination/StatusWatch") {}
