import { type Effect, type Result } from "effect"
import { type PasswordChangeRequired, type PermissionDenied } from "../hierarchy/Authorization.ts"
import { type NotFound } from "../hierarchy/Scope.ts"

type UseCase = (...given: never) => Effect.Effect<unknown, unknown, unknown>

/**
 * A promise of what a use case comes to: `_tag: "Success"` with what it answers in `success`, or `_tag: "Failure"` with why it is
 * refused in `failure`, an error that its own `_tag` tells from the others. It is rejected only where nobody sent anything wrong:
 * the database is away, say.
 */
export type Answer<U extends UseCase, Refusal = never> = Promise<
  Result.Result<Effect.Success<ReturnType<U>>, Effect.Error<ReturnType<U>> | Refusal>
>

/** What every caller may be refused for. */
export type Unpermitted = PasswordChangeRequired | PermissionDenied

/** An answer to a caller, who may not be permitted to ask. */
export type CallerAnswer<U extends UseCase> = Answer<U, Unpermitted>

/** An answer about a record that a caller names by its id, which may be malformed. */
export type RecordAnswer<U extends UseCase> = Answer<U, Unpermitted | NotFound>
