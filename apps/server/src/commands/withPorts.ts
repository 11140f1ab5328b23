import { Effect, Layer, Logger, References } from "effect"
import { database, ports } from "../ports.ts"
import { readSettings, type Settings } from "../settings/Settings.ts"
import { jsonLine } from "../telemetry/jsonLine.ts"

/** The settings of this process. */
export const settings = Effect.suspend(() => Effect.fromResult(readSettings(process.env)))

/** Commands print their results; what they log besides goes to standard error, and only when it matters. */
const quietLogs = Layer.merge(
  Logger.layer([Logger.withConsoleError(jsonLine)]),
  Layer.succeed(References.MinimumLogLevel, "Warn")
)

/** Runs a command over what a layer makes of the settings. */
const withLayer =
  <P, PE>(layer: (settings: Settings) => Layer.Layer<P, PE>) => <A, E, R>(command: Effect.Effect<A, E, R>) =>
    Effect.flatMap(settings, (read) => Effect.provide(command, Layer.provide(layer(read), quietLogs)))

/** Runs a command on the database that the settings name, brought up to date, with every port over it. */
export const withPorts = withLayer(ports)

/** Runs a command on the database that the settings name, as it is. */
export const withDatabase = withLayer(({ database: setting }) => database(setting))
