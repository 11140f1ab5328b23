import { type Unpermitted } from "../access/Authorization.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { type InputKind, type Operation } from "../operation/Operation.ts"
import { type operations } from "../operation/operations.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"

/**
 * Untrusted input. `Documented` is the form that it should have. Any value is accepted, even `unknown`, and is
 * validated by the call: ValidationFailed lists every invalid field.
 */
export type Untrusted<Documented = NonNullable<unknown>> = Documented | NonNullable<unknown> | null | undefined

type InputRefusal<Kind extends InputKind> = Kind extends "nothing" | "patch" | "deletion" ? never : ValidationFailed

/** The errors that an operation's function can return, from its kind of input and the errors of its use case. */
export type FailureOf<Kind extends InputKind, E> = Exclude<E, ReadBudgetExceeded> | InputRefusal<Kind> | Unpermitted

/** The errors that the function of a table entry can return. */
export type FailureOfEntry<Entry> = Entry extends
  Operation<infer _Texts, infer Kind, infer _A, infer E, infer _R, infer _UseCase> ? FailureOf<Kind, E> : never

type Failures = { readonly [Name in keyof typeof operations]: FailureOfEntry<(typeof operations)[Name]> }

/** The errors that an operation can return, each with a `_tag`, such as `OperationFailure<"createPartner">`. */
export type OperationFailure<Name extends keyof typeof operations> = Failures[Name] | Unpermitted
