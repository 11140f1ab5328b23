import { describeProblem } from "@lastro/adapters-http"
import { type ValidationFailed } from "@lastro/domain/input"
import { parseUuid, type PartnerId } from "@lastro/domain/values"
import { Effect, Predicate, Result, Schema } from "effect"

/** The kinds of expected failures. `exitCodes` has the exit code of each. */
const ExpectedExit = Schema.Literals(["finding", "misuse", "databaseUnavailable", "internal"])

/** An expected failure of a command. The message is one line for the operator. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  line: Schema.String,
  exit: ExpectedExit
}) {
  override get message(): string {
    return this.line
  }
}

const fail = (line: string, exit: typeof ExpectedExit.Type): Effect.Effect<never, CommandRefused> =>
  Effect.fail(new CommandRefused({ line, exit }))

/** Fails a command because of its arguments or settings, with one line for the operator. */
export const refuse = (line: string): Effect.Effect<never, CommandRefused> => fail(line, "misuse")

/** Fails a command because of its result: a violation, no record with the given id, or a contract in progress. */
export const reportFinding = (line: string): Effect.Effect<never, CommandRefused> => fail(line, "finding")

/** Fails a command because the database or its server is unavailable. */
export const failUnavailable = (line: string): Effect.Effect<never, CommandRefused> => fail(line, "databaseUnavailable")

/** A command that a server ran has failed. The server's reason is already printed. */
export class EndedOnServer extends Schema.TaggedError<EndedOnServer>()("EndedOnServer", { exit: Schema.Int }) {}

const isTagged = (error: unknown): error is { readonly _tag: string } => Predicate.hasProperty(error, "_tag")

const isValidationFailed = (error: unknown): error is ValidationFailed => Predicate.isTagged(error, "ValidationFailed")

/**
 * Converts domain errors to one-line messages for the operator. `lines` has the message of each error tag. A validation
 * error lists every invalid field. `NotFound` gets the exit code of a finding, and every other error in `lines` that of
 * a misuse.
 */
export const mapRefusals =
  (lines: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CommandRefused, R> =>
    Effect.catch(effect, (error) => {
      if (error instanceof CommandRefused) return Effect.fail(error)
      if (isValidationFailed(error)) {
        return refuse(
          `Invalid options. ${
            error.problems.map((problem) => `${problem.field}: ${describeProblem(problem)}`).join(" ")
          }`
        )
      }
      const tag = isTagged(error) ? error._tag : undefined
      if (tag === "Busy") {
        return fail("The database is busy, and nothing was changed. Run the command again.", "databaseUnavailable")
      }
      const line = tag === undefined ? undefined : lines[tag]
      if (line === undefined) {
        return fail(`The command failed: ${tag ?? "unknown error"}.`, "internal")
      }
      return tag === "NotFound" ? reportFinding(line) : refuse(line)
    })

/** Parses the id of a partner in an argument or a flag. */
export const readPartnerId = (text: string): Effect.Effect<PartnerId, CommandRefused> =>
  Result.match(parseUuid(text), {
    onFailure: () => refuse("The partner id must be a UUID."),
    onSuccess: (id) => Effect.succeed(id as PartnerId)
  })
