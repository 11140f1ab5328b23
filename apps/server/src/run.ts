import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { clients } from "./commands/clients.ts"
import { bootstrap, check, migrate } from "./commands/database.ts"
import { failureText } from "./commands/failureText.ts"
import { keys } from "./commands/keys.ts"
import { partners } from "./commands/partners.ts"
import { privacy } from "./commands/privacy.ts"
import { seed } from "./commands/seed.ts"
import { serve } from "./commands/serve.ts"
import { withSourcePlaces } from "./program/sourcePlaces.ts"

/** The `lastro` command. */
export const lastro = Command.make("lastro").pipe(
  Command.withDescription(
    "Run and administer a Lastro server. lastro COMMAND --help shows options and examples. Environment variables configure every " +
      "command: see docs/operating.md."
  ),
  Command.withShortDescription("Run and administer a Lastro server"),
  Command.withSubcommands([serve, migrate, bootstrap, clients, partners, privacy, keys, seed, check])
)

/** Writes the reason of a failed command to standard error. */
const reportFailure = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    const text = failureText(cause, process.env["LASTRO_LOG_FORMAT"] === "pretty")
    if (text !== undefined) process.stderr.write(`lastro: ${withSourcePlaces(text)}\n`)
  })

/** Exits with 130 after an interruption, unless the command has set another exit code. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) && process.exitCode === 0
    ? onExit(0)
    : Runtime.defaultTeardown(exit, onExit)

/** Runs the command line of this process. */
export const run = (): void =>
  Command.run(lastro, { version: "0.1.0" }).pipe(
    Effect.tapCause(reportFailure),
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    }),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({ teardown, disableErrorReporting: true })
  )
