import { type Effect } from "effect"

/** A call of a port, as it was made. */
export interface PortCall {
  /** The port's name: `PartnerRepository`. */
  readonly port: string
  readonly method: string
  /** What it was given. */
  readonly given: ReadonlyArray<unknown>
  /** What switches made of it, the first one first; none for most. */
  readonly faults: ReadonlyArray<"delayed" | "failed" | "lost">
}

/** A call of the port with a key, before it is made: its method, what it is given, and what it does. */
export interface Calling<A, E, R> {
  readonly key: string
  readonly method: string
  readonly given: ReadonlyArray<unknown>
  readonly call: Effect.Effect<A, E, R>
}

/** What becomes of a call. */
export type Around = <A, E, R>(calling: Calling<A, E, R>) => Effect.Effect<A, E, R>
