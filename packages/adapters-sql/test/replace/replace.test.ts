import { layerSandboxLender } from "@lastro/domain/adapters"
import { AuditLog } from "@lastro/domain/audit"
import { CommonPasswords, PasswordHasher, type SigningKeyRepository, TokenSigner } from "@lastro/domain/identity"
import { defaultLenderSettings, LenderSettings } from "@lastro/domain/lender"
import { StatusWatch } from "@lastro/domain/origination"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { openAdministration, openLastro, openOrigination, type UseCasePorts } from "@lastro/domain/promises"
import { WebhookSender } from "@lastro/domain/webhook"
import { layerMemory, layerMemoryWith } from "@lastro/testkit"
import { Context, Duration, Effect, Layer, Redacted, References, Result } from "effect"
import { assert, describe, it } from "vitest"
import { layerPgliteNode, layerPostgresNode } from "../../src/index.ts"
import { migratedCache } from "../migratedCache.ts"
import { migratedDatabase } from "../postgres.ts"
import { playEverything } from "./playEverything.ts"
import { expectedSides, SeenPorts } from "./seenPorts.ts"

/** The services that a program provides below a node: those that need no database. */
const below = Layer.effectContext(
  Effect.map(
    Layer.build(layerMemory),
    Context.pick(CommonPasswords, IdGenerator, PasswordHasher, SecretGenerator, TokenSigner)
  )
).pipe(
  Layer.merge(layerSandboxLender({ stepMs: 0 })),
  // Without limits, jobs do not use the throttle.
  Layer.merge(Layer.succeed(LenderSettings, { ...defaultLenderSettings, max_in_flight: 8 })),
  Layer.merge(Layer.succeed(References.MinimumLogLevel, "None"))
)

type NodeError = Layer.Error<ReturnType<typeof layerPostgresNode> | ReturnType<typeof layerPgliteNode>>

type Below = Layer.Success<typeof below>

/** The compositions of this repository. Each replaces ports with the same option. */
const compositions: Readonly<
  Record<
    string,
    (seen: SeenPorts) => Layer.Layer<Exclude<UseCasePorts, TokenSigner> | SigningKeyRepository, NodeError, Below>
  >
> = {
  memory: ({ layer }) => layerMemoryWith(layer),
  PGlite: ({ layer }) =>
    Layer.unwrap(
      Effect.map(migratedCache, (cacheFolder) => layerPgliteNode({ dataDir: "memory", cacheFolder, replace: layer }))
    ),
  PostgreSQL: ({ layer }) =>
    Layer.unwrap(
      Effect.map(migratedDatabase, (text) => layerPostgresNode({ url: Redacted.make(text), replace: layer }))
    )
}

describe("a replaced port is used by every part of a node", () => {
  for (const [name, compose] of Object.entries(compositions)) {
    it(`${name}: use cases and background use every replacement`, async () => {
      const seen = new SeenPorts()
      assert.deepStrictEqual(seen.replaced, Object.keys(expectedSides).toSorted())
      await using lastro = await openLastro(Layer.provideMerge(compose(seen), below))
      const application_id = await playEverything(lastro)
      assert.deepStrictEqual(seen.sides(), expectedSides)
      assert.isTrue(seen.has("background", "AuditLog.record"))
      await using administration = await openAdministration(lastro.layer)
      await using origination = await openOrigination(lastro.layer)
      const caller = Result.getOrThrow(await origination.callerOfClient("erp"))
      assert.lengthOf(Result.getOrThrow(await administration.listPartners(caller)).content, 2)
      assert.lengthOf(Result.getOrThrow(await origination.listApplications(caller)).content, 1)
      if (name === "memory") return
      // In memory, a change wakes the long polls, so that none reads versions.
      const poll = { subject: "s", application_id, version: -1, timeout: Duration.seconds(10) }
      const ended = await lastro.run(Effect.flatMap(StatusWatch, ({ wait }) => wait(poll)))
      assert.deepStrictEqual(ended, Result.succeed("CHANGED"))
      assert.isTrue(seen.has("background", "ApplicationRepository.versions"))
    })
  }
})

describe("a port that is replaced above the node", () => {
  const mine = Layer.effect(AuditLog, Effect.map(AuditLog, (original) => AuditLog.of({ ...original })))

  it("is rejected with a sentence that names the port and the remedy", async () => {
    const node = Layer.provideMerge(layerMemoryWith(Layer.empty), below)
    const error: unknown = await openLastro(Layer.provideMerge(mine, node)).catch((error: unknown) => error)
    assert.strictEqual(
      String(error),
      "PortReplacedAboveJobs: Durable jobs would not use your AuditLog, because it is provided above the layer that runs the jobs. Pass it as the option `replace` of that layer."
    )
  })

  it("is rejected if it is the sender of webhooks, which the node would not use", async () => {
    const sender = Layer.effect(WebhookSender, Effect.map(WebhookSender, (original) => ({ ...original })))
    const node = Layer.provideMerge(layerMemoryWith(Layer.empty), below)
    const error: unknown = await openLastro(Layer.provideMerge(sender, node)).catch((error: unknown) => error)
    assert.match(String(error), /would not use your WebhookSender/)
  })
})
