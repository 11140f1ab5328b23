import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { version } from "@lastro/adapters-http"
import { Cause, Effect, Exit, type Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { applications } from "./commands/applications.ts"
import { clients } from "./commands/clients.ts"
import { bootstrap, check, migrate } from "./commands/database.ts"
import { exitCodeOf, failureText } from "./commands/exitCodes.ts"
import { keys } from "./commands/keys.ts"
import { listen } from "./commands/listen.ts"
import { partners } from "./commands/partners.ts"
import { privacy } from "./commands/privacy.ts"
import { seed } from "./commands/seed.ts"
import { serve } from "./commands/serve.ts"
import { trigger } from "./commands/trigger.ts"
import { users } from "./commands/users.ts"
import { webhooks } from "./commands/webhooks.ts"
import { work } from "./commands/work.ts"
import { setRunningProgram, withSourcePlaces } from "./program/sourcePlaces.ts"

/** The `lastro` command. */
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
    clients,
    partners,
    users,
    keys,
    seed,
    check,
    work,
    applications,
    privacy,
    webhooks,
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

/** Runs the command line of this process. `program` is the URL of the bundle that contains this module. */
export const run = (program?: string): void => {
  setRunningProgram(program)
  Command.run(lastro, { version }).pipe(
    Effect.tapCause(reportFailure),
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    }),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({ teardown, disableErrorReporting: true })
  )
}
