import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { exitCodeOf } from "../../src/commands/exitCodes.ts"
import { failureText } from "../../src/commands/failureText.ts"
import { CommandEnvironment } from "../../src/commands/withPorts.ts"
import { lastro } from "../../src/run.ts"
import { type Environment, type Finished } from "./lastro.ts"

const textOf = (lines: ReadonlyArray<unknown>): string => lines.map((line) => `${String(line)}\n`).join("")

/** Runs `lastro` to its end inside the test process. Use it instead of `runToEnd` to save the start of a process. */
export const runInProcess = (args: ReadonlyArray<string>, environment: Environment): Effect.Effect<Finished> =>
  Effect.gen(function*() {
    const exit = yield* Effect.exit(Command.runWith(lastro, { version: "0.0.0" })(args))
    const [out, errors] = [textOf(yield* TestConsole.logLines), textOf(yield* TestConsole.errorLines)]
    const line = Exit.isSuccess(exit) ? undefined : failureText(exit.cause, false)
    return {
      out,
      err: line === undefined ? errors : `${errors}lastro: ${line}\n`,
      ending: Exit.isSuccess(exit) ? 0 : exitCodeOf(exit.cause)
    }
  }).pipe(
    Effect.provideService(CommandEnvironment, environment),
    Effect.provide(Layer.merge(NodeServices.layer, TestConsole.layer), { local: true })
  )
