import { Data, Result } from "effect"

/** The record is no longer in the state the caller based its change on. */
export class PreconditionFailed extends Data.TaggedError("PreconditionFailed") {}

/** Whether a record is still in the state that a change was based on; judged under the lock of the change. */
export type Precondition<A> = (current: A) => boolean

/** No expectation: any state will do. */
export const anyState: Precondition<unknown> = () => true

/**
 * A change that names the state it was based on happens only while the record is in that state.
 * @rule PRE-01
 */
export const judgePrecondition = <A>(current: A, expected: Precondition<A>): Result.Result<void, PreconditionFailed> =>
  expected(current) ? Result.void : Result.fail(new PreconditionFailed())
