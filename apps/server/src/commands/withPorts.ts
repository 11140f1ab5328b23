import { refuseNewerSchema } from "@lastro/adapters-sql"
import { currentTimestamp, saoPauloDate } from "@lastro/domain/values"
import { Context, Effect, Layer, References } from "effect"
import { layerLogs } from "../layers/logs.ts"
import { database, ports } from "../layers/ports.ts"
import { judgeMaximumRate } from "../settings/lenderLimits.ts"
import { type Environment } from "../settings/readers.ts"
import { readSettings, type Settings } from "../settings/Settings.ts"

/** The environment variables that commands read. Default: those of this process. */
export const CommandEnvironment: Context.Reference<Environment> = Context.Reference<Environment>(
  "@lastro/server/commands/withPorts/CommandEnvironment",
  { defaultValue: () => process.env }
)

export const settings = Effect.gen(function*() {
  const read = yield* Effect.fromResult(readSettings(yield* CommandEnvironment))
  yield* Effect.fromResult(judgeMaximumRate(read.lender_settings, saoPauloDate(yield* currentTimestamp)))
  return read
})

/**
 * The log of a command. It writes entries of level warn and above to standard error, because the results go to standard
 * output.
 */
const commandLogs = ({ log_format }: Settings) =>
  Layer.merge(layerLogs(log_format, "stderr"), Layer.succeed(References.MinimumLogLevel, "Warn"))

export type CommandPorts = Layer.Success<ReturnType<typeof ports>>

/**
 * The ports of the server that runs a command of another process. Undefined if the command opens the database itself.
 */
export const RunningNode: Context.Reference<Context.Context<CommandPorts> | undefined> = Context.Reference<
  Context.Context<CommandPorts> | undefined
>("@lastro/server/commands/withPorts/RunningNode", { defaultValue: () => undefined })

/**
 * Returns a function that provides a command with the ports of the server that runs it, or else with the layer that
 * `layer` makes from the settings.
 */
const withLayer = <P extends CommandPorts, PE>(layer: (settings: Settings) => Layer.Layer<P, PE>) =>
<A, E, R>(
  command: Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const read = yield* settings
    const node = yield* RunningNode
    if (node === undefined) return yield* Effect.provide(command, Layer.provide(layer(read), commandLogs(read)))
    const own: Context.Context<never> = yield* Effect.context<never>()
    return yield* Effect.provideContext(command, Context.merge<P, never>(node, own))
  })

/** Provides a command with the ports. Migrates the configured database first. */
export const withPorts = withLayer(ports)

/**
 * Provides a command with the configured database, without migrating it. Fails if the schema is newer than this program
 * and not compatible with it.
 */
export const withDatabase = withLayer(({ database: setting }) =>
  Layer.provideMerge(Layer.effectDiscard(refuseNewerSchema), database(setting))
)
