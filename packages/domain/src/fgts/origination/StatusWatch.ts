import { Context, type Duration, type Effect } from "effect"
import { type ApplicationId } from "../../id/ApplicationId.ts"

/** Somebody who waits for an application to change. */
export interface Waiter {
  /** Whose waiting it is: a caller has only so many places. */
  readonly subject: string
  readonly application_id: ApplicationId
  /** The stored `version` that is known already. */
  readonly version: number
  /** How long to wait at most. */
  readonly timeout: Duration.Duration
}

/** What ended a wait. TURNED_AWAY: there was no place to wait. */
export type Awaited = "CHANGED" | "TIMEOUT" | "TURNED_AWAY" | "RELEASED"

/** Where callers wait for an application to change. A waiter holds no connection to the database. */
export class StatusWatch extends Context.Service<StatusWatch, {
  /** Waits until the application has another version than the one that is known, or the time is over. */
  readonly wait: (waiter: Waiter) => Effect.Effect<Awaited>
  /** Wakes whoever waits for this application on this node; a fact was recorded. */
  readonly changed: (id: ApplicationId) => Effect.Effect<void>
  /** Lets everybody go, and nobody wait any more: the node is stopping. */
  readonly release: Effect.Effect<void>
}>()("@lastro/domain/fgts/origination/StatusWatch") {}
