import { layerStatusWatch } from "@lastro/domain/adapters"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { layerSenderOfContext } from "@lastro/domain/webhook"
import { freshId, layerScriptedLender } from "@lastro/testkit"
import { Context, Effect, Layer, Redacted } from "effect"
import { layerPostgres } from "../../../src/index.ts"
import * as WorkRunner from "../../../src/jobs/WorkRunner.ts"
import { startNode } from "../../jobs/nodes.ts"
import { migratedDatabase } from "../../postgres.ts"
import { layerAnswerLog } from "./AnswerLog.ts"
import { layerAfterRead } from "./race.ts"

/** Enough for the racers of one round and for the jobs. */
const maxConnections = 48

const generators = Layer.merge(
  Layer.succeed(IdGenerator, { next: freshId }),
  Layer.succeed(SecretGenerator, { next: Effect.map(freshId, Redacted.make) })
)

/** Every port on the PostgreSQL at `url`, with a lock timeout that no race reaches. */
const ports = (url: string) =>
  Layer.mergeAll(layerStatusWatch({ tick: "1 hour" }), generators, layerAfterRead).pipe(
    Layer.provideMerge(layerPostgres({ url: Redacted.make(url), lockTimeout: "20 seconds", maxConnections }))
  )

/** A node that starts jobs; the tests execute them. */
const startOnly = (url: string) => Layer.provideMerge(WorkRunner.layerUnlisted, ports(url))

/** A named node that starts and executes jobs. */
const worker = (url: string, node: string) =>
  Layer.provideMerge(
    Layer.merge(layerSenderOfContext, WorkRunner.layerPostgres({ url: Redacted.make(url), node })),
    ports(url)
  )

/** The lender and the answer log that all nodes share. */
const shared = Layer.merge(layerScriptedLender, layerAnswerLog)

type Shared = Layer.Success<typeof shared>

/** The services of every node. */
export type Ports = Layer.Success<ReturnType<typeof startOnly>> | Shared

/** The second node on the same PostgreSQL. */
class OtherNode extends Context.Service<OtherNode, {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports>) => Effect.Effect<A, E>
}>()("@lastro/adapters-sql/test/application/races/nodes/OtherNode") {}

/** Runs an effect on the second node. */
export const onOtherNode = <A, E, R extends Ports>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | OtherNode> => Effect.flatMap(OtherNode, ({ run }) => run(effect))

/** Starts two nodes on a new PostgreSQL database. The first provides the ports, the second is used by {@link onOtherNode}. */
const twoNodes = <E, F>(
  nodes: (url: string) => readonly [
    Layer.Layer<Layer.Success<ReturnType<typeof startOnly>>, E, Layer.Success<typeof layerScriptedLender>>,
    Layer.Layer<Layer.Success<ReturnType<typeof startOnly>>, F, Layer.Success<typeof layerScriptedLender>>
  ]
) => {
  const both = Effect.map(migratedDatabase, (url) => {
    const [one, other] = nodes(url)
    const startOther = Effect.gen(function*() {
      const sharedServices = Layer.succeedContext(yield* Effect.context<Shared>())
      return OtherNode.of(yield* startNode(Layer.fresh(Layer.provideMerge(other, sharedServices))))
    })
    return Layer.merge(Layer.effect(OtherNode, startOther), one)
  })
  return Layer.provideMerge(Layer.unwrap(both), shared)
}

/** One start-only node on a new PostgreSQL database. */
export const layerStartOnlyNode = Layer.provideMerge(Layer.unwrap(Effect.map(migratedDatabase, startOnly)), shared)

/** Two start-only nodes on a new PostgreSQL database. */
export const layerTwoStartOnly = twoNodes((url) => [startOnly(url), startOnly(url)])

/** Two nodes that execute each other's jobs, on a new PostgreSQL database. */
export const layerTwoWorkers = twoNodes((url) => [worker(url, "one"), worker(url, "other")])
