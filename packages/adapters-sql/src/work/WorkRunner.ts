import { type DurableWork } from "@lastro/domain"
import { Context, Effect, Equal, Layer, Option } from "effect"
import { RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import { type SqlClient } from "effect/sql"
import { boundedLender } from "./boundedLender.ts"
import * as ContractWatch from "./ContractWatch.ts"
import * as ContractWork from "./ContractWork.ts"
import * as Durable from "./DurableWork.ts"
import { layerAlone, layerIdle, layerShared, type NodeOptions } from "./engine.ts"
import { layerListener, type Wake, wakeAll, wakeThis } from "./notify.ts"
import * as QuoteWork from "./QuoteWork.ts"
import * as WorkPurge from "./WorkPurge.ts"

/** How this process does durable work. */
export interface WorkOptions extends NodeOptions, ContractWatch.ContractWatchOptions, WorkPurge.WorkPurgeOptions {
  /** How many quotes, and how many contracts, the lender is asked for at a time; 64 unless given. */
  readonly lenderCalls?: number | undefined
}

/** What does durable work in this process. */
export class WorkRunner extends Context.Service<WorkRunner, {
  /** Whether this node takes part in the work: not before it has registered, not while the database is away, not once it stops. */
  readonly isReady: Effect.Effect<boolean>
}>()("@lastro/adapters-sql/work/WorkRunner") {}

const readiness = Layer.effect(
  WorkRunner,
  Effect.gen(function*() {
    const sharding = yield* Sharding.Sharding
    const storage = yield* RunnerStorage.RunnerStorage
    const { runnerAddress } = yield* ShardingConfig.ShardingConfig
    // Who no longer confirms its locks drops out of the list.
    const isRegistered = Effect.map(
      storage.getRunners,
      (runners) =>
        runners.some(([{ address }, healthy]) => healthy && Equal.equals(Option.some(address), runnerAddress))
    )
    return WorkRunner.of({
      isReady: Effect.flatMap(
        sharding.isShutdown,
        (stopping) => stopping ? Effect.succeed(false) : Effect.catchCause(isRegistered, () => Effect.succeed(false))
      )
    })
  })
)

/** Starts and does work over an engine. Work is started by who knows how to do it only, hence above the workflows. */
const running = <R>(
  waking: Effect.Effect<Wake, never, R>,
  { lenderCalls = 64, ...options }: WorkOptions
) =>
  Layer.mergeAll(Durable.layer(waking), readiness, ContractWatch.layer(options), WorkPurge.layer(options)).pipe(
    Layer.provide(Layer.merge(QuoteWork.layer, ContractWork.layer)),
    Layer.provide(boundedLender(lenderCalls))
  )

/**
 * Starts and does durable work on a PostgreSQL, sharing it with the other nodes there. Holds two of the client's connections: it
 * needs at least four.
 */
export const layerPostgres = (options: WorkOptions = {}) =>
  running(wakeAll, options).pipe(
    Layer.merge(layerListener),
    Layer.provide(layerShared(options))
  )

/** Starts and does durable work on an embedded PGlite, which no other process opens. */
export const layerPglite = (options: Omit<WorkOptions, "node"> = {}) =>
  Layer.provide(running(wakeThis, options), layerAlone)

/** Only starts durable work, which is done by the nodes that have a runner. Needs no lender. */
export const layerStartOnly: Layer.Layer<DurableWork, never, SqlClient.SqlClient> = Layer.provide(
  Durable.layer(wakeAll),
  layerIdle
)
