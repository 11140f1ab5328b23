import { Data, Result } from "effect"

/** The record has changed since the caller read it. */
export class PreconditionFailed extends Data.TaggedError("PreconditionFailed") {}

/** Returns whether a record is still in the state that a change is based on. Evaluated under the lock of the change. */
export type Precondition<A> = (current: A) => boolean

/** The precondition that every state meets. */
export const anyState: Precondition<unknown> = () => true

/**
 * A change with a precondition is made only if the stored record meets it.
 * @rule PRE-01
 */
export const judgePrecondition = <A>(current: A, expected: Precondition<A>): Result.Result<void, PreconditionFailed> =>
  expected(current) ? Result.void : Result.fail(new PreconditionFailed())
