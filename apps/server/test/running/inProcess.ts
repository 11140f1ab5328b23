import { layerReadiness } from "@lastro/adapters-http"
import { Effect, Layer, Logger, References, Result } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { api, type Timeouts } from "../../src/layers/api.ts"
import { nodePorts } from "../../src/layers/ports.ts"
import { readSettings } from "../../src/settings/Settings.ts"
import { type Environment } from "./lastro.ts"
import { onPostgres } from "./serving.ts"

/** Serves the API inside the test process, and returns its port. Default: on an empty database. */
export const inProcess = Effect.fnUntraced(function*(patience: Timeouts | undefined, environment?: Environment) {
  const settings = Result.getOrThrow(
    readSettings(environment ?? { ...onPostgres(yield* migratedDatabase), PORT: "0" })
  )
  const heard: { port: unknown } = { port: undefined }
  const listener = Logger.make(({ fiber, message }) => {
    if (String(message) === "listening") heard.port = fiber.getRef(References.CurrentLogAnnotations)["port"]
  })
  yield* Layer.build(
    api(settings, patience).pipe(
      Layer.provide(layerReadiness),
      Layer.provide(nodePorts(settings)),
      Layer.provide(Logger.layer([listener]))
    )
  )
  return Number(heard.port)
})
