import { Result } from "effect"

/** What code without Effect answers: a value, or why there is none. */
export type Answer<A, E> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly refusal: E }

/** The answer that gives a value. */
export const accepted = <A>(value: A): Answer<A, never> => ({ ok: true, value })

/** The answer that says why there is none. */
export const refused = <E>(refusal: E): Answer<never, E> => ({ ok: false, refusal })

/** A result as such an answer, so that the two can be compared. */
export const answerOf = <A, E>(result: Result.Result<A, E>): Answer<A, E> =>
  Result.isSuccess(result) ? accepted(result.success) : refused(result.failure)
