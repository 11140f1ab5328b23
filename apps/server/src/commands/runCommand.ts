import * as NodeServices from "@effect/platform-node/NodeServices"
import { version } from "@lastro/adapters-http"
import { Console, Effect } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { OperatorTerminal } from "./OperatorTerminal.ts"

/** Prints the usage line and the errors of wrong arguments, without the whole help. */
const presenter: CliOutput.Presenter = {
  present: Effect.fnUntraced(function*(event) {
    if (event._tag !== "InvalidInvocation") return yield* CliOutput.defaultPresenter.present(event)
    yield* Console.error(`Usage: ${event.helpDoc.usage}. More: ${event.commandPath.join(" ")} --help`)
    for (const { message } of event.errors) {
      // The parser puts a suggestion on separate lines.
      const [error = "", ...suggestion] = message.trim().split(/\s*\n\s*/)
      yield* Console.error(`lastro: ${suggestion.length === 0 ? error : `${error}. ${suggestion.join(" ")}`}`)
    }
  })
}

/** Runs the command that the arguments select in a command tree. */
export const runCommand = <Name extends string, Input, E, R, C>(
  tree: Command.Command<Name, Input, C, E, R>,
  args: ReadonlyArray<string>
) =>
  Command.runWith(tree, { version })(args).pipe(
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    }),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provide(NodeServices.layer),
    Effect.ensuring(Effect.flatMap(OperatorTerminal, ({ clearStep }) => clearStep))
  )
