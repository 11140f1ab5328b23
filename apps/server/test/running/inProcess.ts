import { layerReadiness } from "@lastro/adapters-http"
import { Context, Effect, Exit, Layer, Logger, References, Result, type Scope } from "effect"
import { TestConsole } from "effect/testing"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { layerCommandServer } from "../../src/commands/CommandServer.ts"
import { exitCodeOf, failureText } from "../../src/commands/exitCodes.ts"
import { fillEmpty } from "../../src/commands/fillEmpty.ts"
import { OperatorTerminal } from "../../src/commands/OperatorTerminal.ts"
import { CommandEnvironment } from "../../src/commands/withPorts.ts"
import { api, type Timeouts } from "../../src/layers/api.ts"
import { nodePorts, PasswordCost } from "../../src/layers/ports.ts"
import { runLastro } from "../../src/run.ts"
import { readSettings } from "../../src/settings/Settings.ts"
import { type Environment, type Finished } from "./lastro.ts"
import { onPostgres, type RunningServer, usualSettings } from "./serving.ts"

/** A server inside the test process. */
export interface InProcessServer extends Pick<RunningServer, "port" | "url"> {
  /** The URL of its metrics port; undefined without one. */
  readonly metricsUrl: string | undefined
}

const localUrl = (port: number): string => `http://127.0.0.1:${port}`

/** The cost of a password hash that takes less than a millisecond. */
const cheap = { memory: 64, passes: 1, parallelism: 1 }

/**
 * Serves the API inside the test process, on a database that is filled first if it is empty. Use it instead of
 * `startServer` to save the start of a process.
 */
export const serveInProcess = (
  environment: Environment,
  timeouts?: Timeouts
): Effect.Effect<InProcessServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const settings = Result.getOrThrow(
      readSettings({ ...usualSettings, ...environment })
    )
    const ports = new Map<unknown, number>()
    const listener = Logger.make(({ fiber, message }) => {
      const { of, port } = fiber.getRef(References.CurrentLogAnnotations)
      if (String(message) === "listening") ports.set(of, Number(port))
    })
    const served = api(settings, timeouts).pipe(
      Layer.provide([
        Layer.effectDiscard(fillEmpty(settings, { write: () => undefined })),
        layerReadiness,
        settings.database.kind === "pglite" && settings.database.folder !== undefined
          ? layerCommandServer(settings.database.folder, environment)
          : Layer.empty
      ]),
      Layer.provide(Layer.provide(nodePorts(settings), Layer.succeed(PasswordCost, cheap))),
      Layer.provide(Logger.layer([listener]))
    )
    // Servers of one test share no layer.
    yield* Layer.buildWithMemoMap(served, yield* Layer.makeMemoMap, yield* Effect.scope)
    const [port = 0, metrics] = [ports.get("api"), ports.get("metrics")]
    return { port, url: localUrl(port), metricsUrl: metrics === undefined ? undefined : localUrl(metrics) }
  }).pipe(Effect.orDie)

/** A server that the tests of a file share, with the URL of its PostgreSQL database. */
export class Server extends Context.Service<Server, InProcessServer & { readonly database: string }>()(
  "@lastro/server/test/running/inProcess/Server"
) {}

/** Serves a fresh PostgreSQL database inside the test process. */
export const layerServer = (environment: Environment = {}): Layer.Layer<Server> =>
  Layer.effect(
    Server,
    Effect.gen(function*() {
      const database = yield* migratedDatabase
      return Server.of({ ...yield* serveInProcess({ ...onPostgres(database), ...environment }), database })
    })
  )

const textOf = (lines: ReadonlyArray<unknown>): string => lines.map((line) => `${String(line)}\n`).join("")

/** Runs `lastro` to its end inside the test process. Use it instead of `runToEnd` to save the start of a process. */
export const runInProcess = (args: ReadonlyArray<string>, environment: Environment): Effect.Effect<Finished> =>
  Effect.gen(function*() {
    const exit = yield* Effect.exit(runLastro(args))
    const [out, errors] = [textOf(yield* TestConsole.logLines), textOf(yield* TestConsole.errorLines)]
    const line = Exit.isSuccess(exit) ? undefined : failureText(exit.cause, false)
    return {
      out,
      err: line === undefined ? errors : `${errors}lastro: ${line}\n`,
      ending: Exit.isSuccess(exit) ? 0 : exitCodeOf(exit.cause)
    }
  }).pipe(
    Effect.provideService(CommandEnvironment, environment),
    Effect.provideService(PasswordCost, cheap),
    Effect.provideService(OperatorTerminal, {
      ask: undefined,
      showStep: () => Effect.void,
      clearStep: Effect.void,
      flushed: Effect.void,
      isWatched: false,
      isScreen: false
    }),
    Effect.provide(TestConsole.layer, { local: true })
  )
