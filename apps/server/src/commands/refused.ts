import { type ValidationFailed } from "@lastro/domain"
import { Effect, Predicate } from "effect"
import { CliError } from "effect/cli"

/** Ends a command with one line for the operator. */
export const refused = (userMessage: string, cause: unknown = userMessage): Effect.Effect<never, CliError.UserError> =>
  Effect.fail(new CliError.UserError({ cause, userMessage }))

const isTagged = (error: unknown): error is { readonly _tag: string } => Predicate.hasProperty(error, "_tag")

const isValidation = (error: unknown): error is ValidationFailed => Predicate.isTagged(error, "ValidationFailed")

/** Turns the domain's refusals into lines for the operator, by their tag; validation names every field. */
export const refusedAs =
  (lines: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliError.UserError, R> =>
    Effect.catch(effect, (error) => {
      if (isValidation(error)) {
        return refused(error.problems.map(({ code, field }) => `${field}: ${code}`).join(", "), error)
      }
      const line = isTagged(error) ? lines[error._tag] : undefined
      return refused(line ?? `It did not work: ${isTagged(error) ? error._tag : "unknown reason"}.`, error)
    })
