import { type ValidationFailed } from "@lastro/domain/validation"
import { Effect, Predicate, Schema } from "effect"

/** An expected failure of a command. The message is one line for the operator. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  line: Schema.String
}) {
  override get message(): string {
    return this.line
  }
}

/** Fails a command with one line for the operator. */
export const refuse = (line: string): Effect.Effect<never, CommandRefused> => Effect.fail(new CommandRefused({ line }))

const isTagged = (error: unknown): error is { readonly _tag: string } => Predicate.hasProperty(error, "_tag")

const isValidationFailed = (error: unknown): error is ValidationFailed => Predicate.isTagged(error, "ValidationFailed")

/**
 * Maps domain errors to one-line messages for the operator. `lines` contains the message of each error tag. A validation error
 * lists every invalid field.
 */
export const mapRefusals =
  (lines: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CommandRefused, R> =>
    Effect.catch(effect, (error) => {
      if (error instanceof CommandRefused) return Effect.fail(error)
      if (isValidationFailed(error)) {
        return refuse(`Invalid options: ${error.problems.map(({ code, field }) => `${field} ${code}`).join(", ")}.`)
      }
      const line = isTagged(error) ? lines[error._tag] : undefined
      return refuse(line ?? `The command failed: ${isTagged(error) ? error._tag : "unknown error"}.`)
    })
