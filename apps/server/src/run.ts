import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { lineOf } from "./commands/lineOf.ts"
import { lastro } from "./lastro.ts"

/** Says in one line on standard error why a command ended. */
const report = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    const line = lineOf(cause)
    if (line !== undefined) process.stderr.write(`lastro: ${line}\n`)
  })

/** An interrupted command ends as interrupted, unless it set another exit code because that is how it ends. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) && process.exitCode === 0
    ? onExit(0)
    : Runtime.defaultTeardown(exit, onExit)

/** Runs the command that this process was started with. */
export const run = (): void =>
  Command.run(lastro, { version: "0.1.0" }).pipe(
    Effect.tapCause(report),
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    }),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({ teardown, disableErrorReporting: true })
  )
