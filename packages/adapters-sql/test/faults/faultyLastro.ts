import { PgClient } from "@effect/sql-pg"
import { layerSandboxLender, layerStatusWatch } from "@lastro/domain/adapters"
import {
  CommonPasswords,
  type PasswordHash,
  PasswordHasher,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/identity"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { openLastro } from "@lastro/domain/promises"
import { WebhookSender } from "@lastro/domain/webhook"
import { Clock, Effect, Layer, Option, Redacted, References } from "effect"
import { ConnectionQueue } from "../../src/database/pglite/ConnectionQueue.ts"
import { startPglite } from "../../src/database/pglite/startPglite.ts"
import { makeConnector } from "../../src/database/pglite/virtualConnections.ts"
import { layer } from "../../src/index.ts"
import { layerUnlisted } from "../../src/jobs/WorkRunner.ts"
import { makeClock } from "../clock.ts"
import { migratedCache } from "../migratedCache.ts"
import { DatabaseSnapshot } from "./DatabaseSnapshot.ts"
import { StatementFaults } from "./StatementFaults.ts"

/** The values that differ between two runs of a program. Here, a test sets them. */
class Inputs {
  #count = 0
  #series = 0
  /** The current time, in milliseconds since the epoch. */
  now = Date.parse("2026-01-31T12:00:00Z")

  /** Starts a series of ids and secrets, which is the same for each call with this number. */
  startSeries(series: number): void {
    this.#series = series
    this.#count = 0
  }

  readonly #next = () => {
    const [series, number] = [this.#series, ++this.#count].map((part) => part.toString(16))
    return `01900000-0000-7000-${series?.padStart(4, "9")}-${number?.padStart(12, "0")}`
  }

  readonly layer = Layer.mergeAll(
    Layer.succeed(IdGenerator, { next: Effect.sync(this.#next) }),
    Layer.succeed(SecretGenerator, { next: Effect.sync(() => Redacted.make(`not-a-secret-${this.#next()}`)) }),
    Layer.succeed(PasswordHasher, {
      hashGenerated: (secret) => Effect.succeed(`not-secure-${Redacted.value(secret).length}` as PasswordHash),
      hash: (secret) => Effect.succeed(`not-secure-${Redacted.value(secret).length}` as PasswordHash),
      verify: (secret, hash) =>
        Effect.succeed(Option.contains(hash, `not-secure-${Redacted.value(secret).length}` as PasswordHash))
    }),
    Layer.succeed(CommonPasswords, { includes: () => Effect.succeed(false), isWord: () => Effect.succeed(false) }),
    Layer.succeed(TokenSigner, {
      sign: ({ sub }) => Effect.succeed(`token of ${sub}`),
      verify: () => Effect.fail(new Unauthenticated({ reason: "signature" }))
    }),
    Layer.succeed(WebhookSender, {
      send: () => Effect.succeed({ kind: "ANSWERED", status: 200, retry_after_ms: null, duration_ms: 1 }),
      newSecret: Effect.sync(() => ({ shown: "whsec_test", sealed: `sealed-${this.#next()}` })),
      refusalOf: () => undefined
    }),
    Layer.effect(
      Clock.Clock,
      Effect.map(Clock.Clock, (live) => makeClock(live, () => this.now))
    )
  )
}

/** Opens every use case over a PGlite whose connections can die, with fixed ids, secrets and time. */
export const openFaultyLastro = async () => {
  const pglite = await startPglite({ cacheFolder: await Effect.runPromise(migratedCache) })
  const queue = new ConnectionQueue(30_000)
  const faults = new StatementFaults()
  const inputs = new Inputs()
  const client = PgClient.layer({
    stream: faults.wrap(makeConnector(pglite, queue)),
    ssl: false,
    username: "postgres",
    database: "postgres",
    maxConnections: 4,
    prepare: false
  })
  const lastro = await openLastro(
    Layer.mergeAll(layerStatusWatch({ tick: "1 hour" }), layerSandboxLender({ stepMs: 1_000 }), layerUnlisted).pipe(
      Layer.provideMerge(layer),
      Layer.provideMerge(inputs.layer),
      Layer.provideMerge(client),
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
    )
  )
  const snapshot = await DatabaseSnapshot.of(pglite)
  await snapshot.save("empty")

  /** Runs a function while no connection has a transaction. */
  const whenIdle = async <A>(run: () => Promise<A>): Promise<A> => {
    const connection = {}
    if (!(await queue.acquire(connection))) throw new Error("a connection keeps its transaction")
    try {
      return await run()
    } finally {
      queue.release(connection)
    }
  }
  return {
    lastro,
    faults,
    inputs,
    save: (name: string) => whenIdle(() => snapshot.save(name)),
    restore: (name: string) => whenIdle(() => snapshot.restore(name)),
    read: () => whenIdle(() => snapshot.read()),
    close: async () => {
      await lastro.close()
      await pglite.close()
    }
  }
}

/** Every use case, over connections that can die. */
export type FaultyLastro = Awaited<ReturnType<typeof openFaultyLastro>>
