import { Result } from "effect"
import { Refusal } from "./Refusal.ts"

/** The record has changed since the caller read it. */
export class PreconditionFailed
  extends Refusal("PreconditionFailed", "The record has changed since you read it. Read it again.")
{}

/** Returns whether a record is still in the state that a change is based on. It runs while the record is locked. */
export type Precondition<A> = (current: A) => boolean

/** Always met. */
export const anyState: Precondition<unknown> = () => true

/**
 * A change with a precondition is made only if the stored record meets it.
 * @rule PRE-01
 */
export const judgePrecondition = <A>(current: A, expected: Precondition<A>): Result.Result<void, PreconditionFailed> =>
  expected(current) ? Result.void : Result.fail(new PreconditionFailed())
