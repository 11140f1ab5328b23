import { layerStartOnly } from "@lastro/adapters-sql"
import { Console, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { credentialsText } from "../credentials.ts"
import { fillEmpty } from "../fillEmpty.ts"
import { settings, withPorts } from "./withPorts.ts"

/** Does on demand what an empty database gets when the server starts. */
export const bootstrap = Command.make("bootstrap", {}, () =>
  Effect.gen(function*() {
    const read = yield* settings
    yield* Console.log(Option.match(yield* fillEmpty(read), {
      onNone: () => "The database is not empty; nothing was done.",
      onSome: (made) => credentialsText(made, read.bootstrap)
    }))
  }).pipe(Effect.provide(layerStartOnly), withPorts)).pipe(
    Command.withDescription("Fills an empty database with a root partner, an administrator and an API client")
  )
