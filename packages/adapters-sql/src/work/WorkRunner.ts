import { Lender } from "@lastro/domain/lender"
import { type DurableWork } from "@lastro/domain/origination"
import { Context, Effect, Equal, Layer, Option, Semaphore } from "effect"
import { RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import { type SqlClient } from "effect/sql"
import * as Durable from "./DurableWork.ts"
import { layerClientOnly, layerShared, layerSingleNode, type NodeOptions } from "./engine.ts"
import { layerListener, makeLocalNotifier, makePgNotifier, type NotifyShard } from "./notify.ts"
import * as Singletons from "./singletons.ts"
import * as Workflows from "./workflows.ts"

/** Options of the job worker of this process. */
export interface WorkOptions extends NodeOptions, Singletons.SingletonOptions {
  /** Maximum number of concurrent requests to the lender, separately for quotes and for contracts. Default: 64. */
  readonly maxLenderCalls?: number | undefined
}

/** The job worker of this process. */
export class WorkRunner extends Context.Service<WorkRunner, {
  /**
   * True while this node executes jobs: from its registration until shutdown, except while the database is
   * unreachable.
   */
  readonly isReady: Effect.Effect<boolean>
}>()("@lastro/adapters-sql/work/WorkRunner") {}

const layerReadiness = Layer.effect(
  WorkRunner,
  Effect.gen(function*() {
    const sharding = yield* Sharding.Sharding
    const storage = yield* RunnerStorage.RunnerStorage
    const { runnerAddress } = yield* ShardingConfig.ShardingConfig
    // A node that no longer refreshes its locks is removed from the list of runners.
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

/**
 * Limits the concurrent requests to the lender, separately for quotes and for contracts. The number of jobs is not
 * limited: each starts immediately. A job that waits for its next attempt does not count towards the limit.
 */
export const limitLenderCalls = (maxCalls: number): Layer.Layer<Lender, never, Lender> =>
  Layer.effect(
    Lender,
    Effect.gen(function*() {
      const lender = yield* Lender
      const quotes = yield* Semaphore.make(maxCalls)
      const contracts = yield* Semaphore.make(maxCalls)
      return Lender.of({
        ...lender,
        quote: (request) => quotes.withPermit(lender.quote(request)),
        submit: (submission) => contracts.withPermit(lender.submit(submission)),
        resubmit: (resubmission) => contracts.withPermit(lender.resubmit(resubmission))
      })
    })
  )

/**
 * Starts and executes jobs on an engine. The workflows are registered before `DurableWork` is available, so no job can
 * start before them.
 */
const layerWorker = <R>(
  makeNotifier: Effect.Effect<NotifyShard, never, R>,
  { maxLenderCalls = 64, ...options }: WorkOptions
) =>
  Layer.mergeAll(Durable.layer(makeNotifier), layerReadiness, Singletons.layer(options)).pipe(
    Layer.provide(Workflows.layer),
    Layer.provide(limitLenderCalls(maxLenderCalls))
  )

/**
 * Starts and executes durable jobs on PostgreSQL. Nodes on the same database share the jobs. Occupies two connections,
 * so the client needs at least four.
 */
export const layerPostgres = (options: WorkOptions = {}) =>
  layerWorker(makePgNotifier, options).pipe(
    Layer.merge(layerListener),
    Layer.provide(layerShared(options))
  )

/** Starts and executes durable jobs on an embedded PGlite, which only this process can open. */
export const layerPglite = (options: Omit<WorkOptions, "node"> = {}) =>
  Layer.provide(layerWorker(makeLocalNotifier, options), layerSingleNode)

/** Starts durable jobs without executing them. Nodes with a `WorkRunner` execute them. Requires no lender. */
export const layerStartOnly: Layer.Layer<DurableWork, never, SqlClient.SqlClient> = Layer.provide(
  Durable.layer(makePgNotifier),
  layerClientOnly
)
