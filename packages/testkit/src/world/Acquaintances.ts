import { type Caller } from "@lastro/domain"
import { Effect, Semaphore } from "effect"
import { type Builder } from "../given/Builder.ts"

/** A user or API client, and what it is allowed at most where it was described with less than its group allows. */
export interface Known extends Pick<Caller, "kind" | "subject">, Partial<Pick<Caller, "permissions">> {}

/** Whom builders have become in one world: the same builder is the same user or API client, however often it asks. */
export class Acquaintances {
  readonly #known = new WeakMap<Builder<unknown>, Known>()
  /** Whoever asks twice at once is stored once. */
  readonly #turn = Semaphore.makeUnsafe(1)

  /** A builder was stored; whoever it is known as already, it stays. */
  met(builder: Builder<unknown>, known: Known): void {
    if (!this.#known.has(builder)) this.#known.set(builder, known)
  }

  /** Whom a builder was stored as first; it is stored now if it never was. */
  of<E, R>(builder: Builder<unknown>, store: Effect.Effect<Known, E, R>): Effect.Effect<Known, E, R> {
    const found = Effect.suspend(() => {
      const known = this.#known.get(builder)
      return known === undefined
        ? Effect.tap(store, (made) => Effect.sync(() => this.met(builder, made)))
        : Effect.succeed(known)
    })
    return this.#turn.withPermits(1)(found)
  }
}
