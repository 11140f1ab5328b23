import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Readiness } from "@lastro/adapters-http"
import { layerIdGenerator } from "@lastro/adapters-http/security"
import { WorkRunner } from "@lastro/adapters-sql"
import { groupBySlug, groupRecord } from "@lastro/domain/access"
import { PasswordHasher } from "@lastro/domain/identity"
import { layerMemory, storeRootPartner, storeUser } from "@lastro/testkit"
import { Effect, Layer, Redacted, Result } from "effect"
import { api } from "../../../apps/server/src/layers/api.ts"
import { telemetry } from "../../../apps/server/src/layers/telemetry.ts"
import { readSettings } from "../../../apps/server/src/settings/Settings.ts"
import { reader } from "./reader.ts"

/**
 * The HTTP server of Lastro with the in-memory ports. Its processor time does not include that of a database client.
 */
const settings = Result.getOrThrow(readSettings(process.env))

const ports = Layer.provide(Layer.mergeAll(layerMemory, layerIdGenerator), NodeCrypto.layer)

const healthy = Layer.merge(
  Layer.succeed(Readiness, Readiness.of({ isReady: Effect.succeed(true) })),
  Layer.succeed(
    WorkRunner,
    WorkRunner.of({
      problem: Effect.succeed(null),
      isReady: Effect.succeed(true),
      isClockRight: () => true,
      isSchemaCompatible: () => true,
      refreshMetrics: Effect.void
    })
  )
)

const storeReader = Layer.effectDiscard(Effect.gen(function*() {
  const root = yield* storeRootPartner()
  const hash = yield* (yield* PasswordHasher).hash(Redacted.make(reader.password))
  yield* storeUser(root, { group: groupRecord(groupBySlug("admin")), email: reader.email }, hash)
}))

const server = Layer.provideMerge(api(settings), storeReader).pipe(
  Layer.provide(healthy),
  Layer.provide(ports),
  Layer.provide(telemetry(settings))
)

NodeRuntime.runMain(Layer.launch(server))
