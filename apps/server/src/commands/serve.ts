import { layerReadiness } from "@lastro/adapters-http"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { api } from "../layers/api.ts"
import { nodePorts } from "../layers/ports.ts"
import {
  layerApplicationRetention,
  layerAuditRetention,
  layerDeletedRetention,
  layerEventRetention
} from "../layers/retention.ts"
import { telemetry } from "../layers/telemetry.ts"
import { type Environment } from "../settings/readers.ts"
import { type Settings } from "../settings/Settings.ts"
import { bannerText } from "./banner.ts"
import { layerCommandServer } from "./CommandServer.ts"
import { fillEmpty } from "./fillEmpty.ts"
import { npxExit } from "./npxExit.ts"
import { ServerStop } from "./ServerStop.ts"
import { CommandEnvironment, settings } from "./withPorts.ts"

/** Fills an empty database. Shows the credentials on standard error, because standard output is the log. */
const fillAndShowCredentials = (read: Settings) => Layer.effectDiscard(fillEmpty(read, process.stderr))

/** Logs for a person if the standard output is a terminal and no format was chosen. */
const onTerminal = (read: Settings, environment: Environment): Settings =>
  process.stdout.isTTY && environment["LASTRO_LOG_FORMAT"] === undefined ? { ...read, log_format: "pretty" } : read

/** Runs the commands of other processes, if this server holds a data folder. */
const commandServer = ({ database }: Settings, environment: Environment) =>
  database.kind === "pglite" && database.folder !== undefined && process.platform !== "win32"
    ? layerCommandServer(database.folder, environment)
    : Layer.empty

/** Shows the addresses on a terminal when the server listens. */
const showBanner = (read: Settings) =>
  Layer.effectDiscard(Effect.sync(() => {
    if (process.stderr.isTTY) process.stderr.write(bannerText(read))
  }))

/** Makes the process exit with 0, because an interruption is the normal end of the command. */
export const exitWithSuccess = Effect.sync(() => {
  process.exitCode = 0
})

/** Migrates the database, fills it if empty, and serves the API until interrupted. */
export const serve = Command.make("serve", {}, () =>
  Effect.gen(function*() {
    const environment = yield* CommandEnvironment
    const read = onTerminal(yield* settings, environment)
    const stop = new ServerStop(read)
    const server = Layer.mergeAll(stop.stage("the requests in progress"), stop.serving, showBanner(read)).pipe(
      Layer.provide(api(read)),
      Layer.provide(commandServer(read, environment)),
      Layer.provide([
        fillAndShowCredentials(read),
        Layer.provide(stop.readiness, layerReadiness),
        layerApplicationRetention(read),
        layerAuditRetention(read),
        layerDeletedRetention(read),
        layerEventRetention(read)
      ]),
      Layer.provide(Layer.provideMerge(stop.stage("the durable jobs and the database"), nodePorts(read))),
      Layer.provide(Layer.provideMerge(stop.stage("the telemetry"), telemetry(read)))
    )
    yield* Effect.onInterrupt(stop.run(Layer.launch(server), npxExit), () => exitWithSuccess)
  })).pipe(
    Command.withDescription(
      "Migrate the database, fill it if it is empty, and serve the API until SIGTERM or SIGINT. The first start shows the " +
        "generated credentials on standard error if that is a terminal. Otherwise, it writes them to a file that only this user can read, and logs its path."
    ),
    Command.withShortDescription("Migrate the database and serve the API"),
    Command.withExamples([
      { command: "lastro serve", description: "Serve http://127.0.0.1:3000 with an embedded database in .data" },
      { command: "LASTRO_DATA_DIR=memory PORT=8080 lastro serve", description: "Keep no data and use another port" }
    ])
  )
