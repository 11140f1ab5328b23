import { type Duration, Effect, Layer, Option } from "effect"
import {
  ClusterError,
  ClusterWorkflowEngine,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerStorage,
  Sharding,
  ShardingConfig,
  Snowflake,
  SqlMessageStorage,
  SqlRunnerStorage
} from "effect/cluster"
import { Digest } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { allocateMachineId, tablePrefix } from "./engineTables.ts"

/** Options that identify a node. */
export interface NodeOptions {
  /**
   * The name of this node, unique among the nodes on the same database. A node that restarts under the same name
   * resumes its jobs immediately; other nodes take over the jobs of a lost node after 10 s. Default: `lastro`.
   */
  readonly node?: string | undefined
}

/**
 * Number of shards among which jobs are distributed. The number is part of the stored format and must be the same on
 * every node.
 */
const shardsPerGroup = 64

const config = (node: Option.Option<string>, pollInterval: Duration.Input) =>
  ShardingConfig.layer({
    // The address is a name instead of a network address, because nodes communicate only through the database.
    runnerAddress: Option.map(node, (name) => RunnerAddress.make(name, 1)),
    shardsPerGroup,
    entityMessagePollInterval: pollInterval,
    entityTerminationTimeout: "2 seconds",
    // If the database does not respond within a third of this time, a node stops its jobs, because other nodes may take
    // them over.
    shardLockExpiration: "10 seconds",
    shardLockRefreshInterval: "1 second",
    refreshAssignmentsInterval: "1 second",
    maxResidentEntities: "unbounded",
    simulateRemoteSerialization: false
  })

/**
 * Sends messages only through the database. Does not notify the local node about a new job, because the transaction
 * that starts the job has not committed yet. `DurableWork` notifies after the commit.
 */
const layerRunners = Layer.effect(
  Runners.Runners,
  Effect.map(Runners.makeNoop, (noop) =>
    Runners.Runners.of({
      ...noop,
      notifyLocal: (options) => noop.notifyLocal(options.discard ? { ...options, notify: () => Effect.void } : options)
    }))
).pipe(Layer.provide(Snowflake.layerGenerator))

/**
 * Stores the nodes and their shards in PostgreSQL. The engine would derive machine ids from node names, and two
 * processes with the same name would then create equal message ids. Each process gets its own machine id instead, so
 * that message ids are unique even then.
 */
const layerRunnerStorage = Layer.effect(
  RunnerStorage.RunnerStorage,
  Effect.gen(function*() {
    const machineId = ClusterError.PersistenceError.refail(allocateMachineId(yield* SqlClient.SqlClient))
    const storage = yield* RunnerStorage.RunnerStorage
    return RunnerStorage.RunnerStorage.of({
      ...storage,
      register: (runner, healthy) => Effect.andThen(storage.register(runner, healthy), machineId)
    })
  })
).pipe(Layer.provide(SqlRunnerStorage.layerStorage({ prefix: tablePrefix })))

const layerEngine = (
  runnerStorage: Layer.Layer<RunnerStorage.RunnerStorage, never, SqlClient.SqlClient | ShardingConfig.ShardingConfig>,
  shardingConfig: Layer.Layer<ShardingConfig.ShardingConfig>
) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provide([layerRunners, RunnerHealth.layerNoop]),
    Layer.provideMerge(runnerStorage),
    Layer.provide(SqlMessageStorage.layerStorage({ prefix: tablePrefix })),
    Layer.provideMerge(shardingConfig),
    Layer.provide(Digest.layerWebCrypto)
  )

/** The workflow engine of a node that shares jobs with other nodes. Advisory locks assign the shards. */
export const layerShared = ({ node = "lastro" }: NodeOptions) =>
  layerEngine(layerRunnerStorage, config(Option.some(node), "1 second"))

/** The workflow engine of the only process on a database. */
export const layerSingleNode = layerEngine(RunnerStorage.layerMemory, config(Option.some("lastro"), "2 seconds"))

/** Sets the machine id of a process that does not register as a node. */
const layerMachineId = Layer.effectDiscard(Effect.gen(function*() {
  const machineId = yield* orDie(allocateMachineId(yield* SqlClient.SqlClient))
  yield* (yield* Snowflake.Generator).setMachineId(machineId)
})).pipe(Layer.provide(Snowflake.layerGenerator))

/** The workflow engine of a process that starts jobs but executes none. */
export const layerClientOnly = layerEngine(RunnerStorage.layerMemory, config(Option.none(), "1 minute")).pipe(
  Layer.provide(layerMachineId)
)
