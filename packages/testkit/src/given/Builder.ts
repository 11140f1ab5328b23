import { Effect, Effectable } from "effect"

/**
 * Describes a record whose every field has a sensible value unless it is told otherwise. Never changes: each method gives another
 * builder, so that one can be kept and varied. It is an Effect of its record too, so that `yield*` makes one.
 */
export abstract class Builder<A> extends Effectable.Class<A> {
  /** The record. What identifies it is random unless it was given: two calls make two records. */
  build(): A {
    return Effect.runSync(this)
  }
}
