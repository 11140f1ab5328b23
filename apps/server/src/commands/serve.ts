import { Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { api } from "../api.ts"
import { credentialsText } from "../credentials.ts"
import { fillEmpty } from "../fillEmpty.ts"
import { npxGone } from "../npxGone.ts"
import { nodePorts } from "../ports.ts"
import { readiness } from "../readiness.ts"
import { type Settings } from "../settings/Settings.ts"
import { telemetry } from "../telemetry.ts"
import { settings } from "./withPorts.ts"

/** Fills an empty database. The credentials go to standard error: standard output is the JSON log. */
const filled = (read: Settings) =>
  Layer.effectDiscard(Effect.map(fillEmpty(read), (made) => {
    if (Option.isSome(made)) process.stderr.write(credentialsText(made.value, read.bootstrap))
  }))

/** Being told to stop is no failure of a server: it exits with 0. */
const stoppedInGoodOrder = Effect.sync(() => {
  process.exitCode = 0
})

/** Migrates, fills an empty database, and serves the API until the process is told to stop. */
export const serve = Command.make("serve", {}, () =>
  Effect.gen(function*() {
    const read = yield* settings
    const server = api(read).pipe(
      Layer.provide([filled(read), readiness]),
      Layer.provide(nodePorts(read)),
      Layer.provide(telemetry(read))
    )
    yield* Effect.raceFirst(Layer.launch(server), npxGone).pipe(Effect.onInterrupt(() => stoppedInGoodOrder))
  })).pipe(Command.withDescription("Migrates, fills an empty database, and serves the API"))
