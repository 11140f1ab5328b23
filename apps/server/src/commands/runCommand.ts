import * as NodeServices from "@effect/platform-node/NodeServices"
import { version } from "@lastro/adapters-http"
import { Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"

/** Runs the command of a command tree that these arguments name. */
export const runCommand = <Name extends string, Input, E, R, C>(
  tree: Command.Command<Name, Input, C, E, R>,
  args: ReadonlyArray<string>
) =>
  Command.runWith(tree, { version })(args).pipe(
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    }),
    Effect.provide(NodeServices.layer)
  )
