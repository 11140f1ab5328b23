import { layerReadiness } from "@lastro/adapters-http"
import { Effect, Layer, Logger, References, Result, type Scope } from "effect"
import { fillEmpty } from "../../src/commands/fillEmpty.ts"
import { api, type Timeouts } from "../../src/layers/api.ts"
import { nodePorts } from "../../src/layers/ports.ts"
import { readSettings } from "../../src/settings/Settings.ts"
import { type Environment } from "./lastro.ts"
import { type RunningServer, usualSettings } from "./serving.ts"

/** A server inside the test process. */
export interface InProcessServer extends Pick<RunningServer, "port" | "url"> {
  /** The URL of its metrics port; undefined without one. */
  readonly metricsUrl: string | undefined
}

const localUrl = (port: number): string => `http://127.0.0.1:${port}`

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
      Layer.provide([Layer.effectDiscard(fillEmpty(settings)), layerReadiness]),
      Layer.provide(nodePorts(settings)),
      Layer.provide(Logger.layer([listener]))
    )
    // Servers of one test share no layer.
    yield* Layer.buildWithMemoMap(served, yield* Layer.makeMemoMap, yield* Effect.scope)
    const [port = 0, metrics] = [ports.get("api"), ports.get("metrics")]
    return { port, url: localUrl(port), metricsUrl: metrics === undefined ? undefined : localUrl(metrics) }
  }).pipe(Effect.orDie)
