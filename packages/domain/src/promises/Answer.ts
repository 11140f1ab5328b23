import { type Effect, type Result } from "effect"
import { type NotFound } from "../hierarchy/Scope.ts"
import { type PasswordChangeRequired, type PermissionDenied } from "../identity/Authorization.ts"

type UseCase = (...given: never) => Effect.Effect<unknown, unknown, unknown>

/**
 * A promise of what a use case comes to: `_tag: "Success"` with what it answers in `success`, or `_tag: "Failure"` with why it is
 * refused in `failure`, an error that its own `_tag` tells from the others. It is rejected where nobody sent anything wrong, as when
 * the database is away; where a program did, by passing as a caller what is none; where the call was aborted; and with LastroClosed.
 */
export type Answer<U extends UseCase, Refusal = never> = Promise<
  Result.Result<Effect.Success<ReturnType<U>>, RefusalOf<U> | Refusal>
>

/** Why a use case may be refused. */
export type RefusalOf<U extends UseCase> = Effect.Error<ReturnType<U>>

/** What every caller may be refused for. */
export type Unpermitted = PasswordChangeRequired | PermissionDenied

/** An answer to a caller, who may not be permitted to ask. */
export type CallerAnswer<U extends UseCase> = Answer<U, Unpermitted>

/** An answer about a record that a caller names by its id, which may be malformed. */
export type RecordAnswer<U extends UseCase> = Answer<U, Unpermitted | NotFound>
