import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, type Runtime } from "effect"
import { Command } from "effect/cli"
import { administration } from "./commands/administration.ts"
import { bootstrap, migrate } from "./commands/database.ts"
import { exitCodeOf, failureText } from "./commands/exitCodes.ts"
import { withGzip } from "./commands/gzipOutput.ts"
import { listen } from "./commands/listen.ts"
import { runCommand } from "./commands/runCommand.ts"
import { runOrForward } from "./commands/runOnServer.ts"
import { seed } from "./commands/seed.ts"
import { serve } from "./commands/serve.ts"
import { trigger } from "./commands/trigger.ts"
import { setRunningProgram, withSourcePlaces } from "./program/sourcePlaces.ts"

export const lastro = Command.make("lastro").pipe(
  Command.withDescription(
    "Run and administer a Lastro server. lastro COMMAND --help shows options and examples. Environment variables configure every " +
      "command: see docs/operating.md."
  ),
  Command.withShortDescription("Run and administer a Lastro server"),
  Command.withSubcommands([
    serve,
    migrate,
    bootstrap,
    ...administration,
    seed,
    listen,
    trigger
  ])
)

/** Writes the reason of a failure to standard error. */
const reportFailure = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    const text = failureText(cause, process.env["LASTRO_LOG_FORMAT"] === "pretty")
    if (text !== undefined) process.stderr.write(`lastro: ${withSourcePlaces(text)}\n`)
  })

/**
 * Exits with the exit code of a failure. After an interruption, exits with the code that the command has set, if any.
 */
const teardown: Runtime.Teardown = (exit, onExit) =>
  onExit(
    Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) && process.exitCode === 0 ? 0 : exitCodeOf(exit.cause)
  )

export const runLastro = (args: ReadonlyArray<string>) => withGzip(runOrForward(runCommand(lastro, args), args), args)

/** Runs the command line of this process. `program` is the URL of the bundle that contains this module. */
export const run = (program?: string): void => {
  setRunningProgram(program)
  runLastro(process.argv.slice(2)).pipe(
    Effect.tapCause(reportFailure),
    NodeRuntime.runMain({ teardown, disableErrorReporting: true })
  )
}
