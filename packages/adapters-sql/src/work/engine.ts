import { type Duration, Effect, Layer, Option } from "effect"
import {
  ClusterWorkflowEngine,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerStorage,
  Sharding,
  ShardingConfig,
  Snowflake,
  SqlMessageStorage
} from "effect/cluster"
import { Digest } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { prefix } from "./engineTables.ts"
import { processNumber } from "./processNumber.ts"
import { sharedRunners } from "./sharedRunners.ts"

/** The node that does work. */
export interface NodeOptions {
  /**
   * What tells this node from others on the same database, where each needs a name of its own. One that comes back under its
   * name goes on at once with what it left; others take over from a node that is gone after ten seconds. `lastro` unless given.
   */
  readonly node?: string | undefined
}

/** What work is dealt out by: stored with each work, and the same on every node. */
const shardsPerGroup = 64

const config = (node: Option.Option<string>, poll: Duration.Input) =>
  ShardingConfig.layer({
    // A name and no address: nodes meet in the database only, none listens.
    runnerAddress: Option.map(node, (name) => RunnerAddress.make(name, 1)),
    shardsPerGroup,
    entityMessagePollInterval: poll,
    entityTerminationTimeout: "2 seconds",
    // A third of it is how long the database may take to answer before a node stops, for fear that others took over.
    shardLockExpiration: "10 seconds",
    shardLockRefreshInterval: "1 second",
    refreshAssignmentsInterval: "1 second",
    maxResidentEntities: "unbounded",
    simulateRemoteSerialization: false
  })

/**
 * Nobody to send to but the database. What is started is written within a transaction that others cannot see into yet, hence
 * nobody looks for it before it has committed and `DurableWork` says so.
 */
const runners = Layer.effect(
  Runners.Runners,
  Effect.map(Runners.makeNoop, (nobody) =>
    Runners.Runners.of({
      ...nobody,
      notifyLocal: (told) => nobody.notifyLocal(told.discard ? { ...told, notify: () => Effect.void } : told)
    }))
).pipe(Layer.provide(Snowflake.layerGenerator))

const engine = (
  nodes: Layer.Layer<RunnerStorage.RunnerStorage, never, SqlClient.SqlClient | ShardingConfig.ShardingConfig>,
  configured: Layer.Layer<ShardingConfig.ShardingConfig>
) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provide([runners, RunnerHealth.layerNoop]),
    Layer.provideMerge(nodes),
    Layer.provide(SqlMessageStorage.layerStorage({ prefix })),
    Layer.provideMerge(configured),
    Layer.provide(Digest.layerWebCrypto)
  )

/** The workflow engine of a node that shares the work with others, each holding advisory locks on its part of it. */
export const layerShared = ({ node = "lastro" }: NodeOptions) =>
  engine(sharedRunners, config(Option.some(node), "1 second"))

/** The workflow engine of the one process that has the database: who does what needs no table. */
export const layerAlone = engine(RunnerStorage.layerMemory, config(Option.some("lastro"), "2 seconds"))

/** Has a process that registers nowhere make ids of its own; the generator is the one that the engine is built with. */
const numbered = Layer.effectDiscard(Effect.gen(function*() {
  const number = yield* orDie(processNumber(yield* SqlClient.SqlClient))
  yield* (yield* Snowflake.Generator).setMachineId(number)
})).pipe(Layer.provide(Snowflake.layerGenerator))

/** The workflow engine of a process that does no work itself. */
export const layerIdle = engine(RunnerStorage.layerMemory, config(Option.none(), "1 minute")).pipe(
  Layer.provide(numbered)
)
