import { IdGenerator, layerStatusWatch, SecretGenerator } from "@lastro/domain"
import { freshId, layerScriptedLender } from "@lastro/testkit"
import { Context, Effect, Layer, Redacted } from "effect"
import { layerPostgres } from "../../../src/index.ts"
import * as WorkRunner from "../../../src/work/WorkRunner.ts"
import { freshDatabase } from "../../postgres.ts"
import { started } from "../../work/nodes.ts"
import { layerWitness } from "./AnswerLog.ts"
import { layerMeeting } from "./race.ts"

/** As many as race in one round, and some for the work beside them. */
const maxConnections = 48

const generators = Layer.merge(
  Layer.succeed(IdGenerator, { next: freshId }),
  Layer.succeed(SecretGenerator, { next: Effect.map(freshId, Redacted.make) })
)

/** Every port over the PostgreSQL at `url`, whose locks are waited for as long as it takes. */
const ports = (url: string) =>
  Layer.mergeAll(layerStatusWatch({ tick: "1 hour" }), generators, layerMeeting).pipe(
    Layer.provideMerge(layerPostgres({ url: Redacted.make(url), lockTimeout: "20 seconds", maxConnections }))
  )

/** A node on the PostgreSQL at `url` that promises work; tests do it. */
const promising = (url: string) => Layer.provideMerge(WorkRunner.layerStartOnly, ports(url))

/** A node that promises work and does it, under a name of its own. */
const working = (url: string, node: string) => Layer.provideMerge(WorkRunner.layerPostgres({ node }), ports(url))

/** A lender and callers that remember: the same for all nodes. */
const outside = Layer.merge(layerScriptedLender, layerWitness)

type Outside = Layer.Success<typeof outside>

/** What there is on every node. */
export type Ports = Layer.Success<ReturnType<typeof promising>> | Outside

/** Another node on the same PostgreSQL. */
class OtherNode extends Context.Service<OtherNode, {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports>) => Effect.Effect<A, E>
}>()("@lastro/adapters-sql/test/application/races/nodes/OtherNode") {}

/** Runs something on the other node. */
export const onOther = <A, E, R extends Ports>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | OtherNode> =>
  Effect.flatMap(OtherNode, ({ run }) => run(effect))

/** Two nodes on a PostgreSQL of their own: the surroundings, and {@link onOther}. */
const twoNodes = <E, F>(
  nodes: (url: string) => readonly [
    Layer.Layer<Layer.Success<ReturnType<typeof promising>>, E, Layer.Success<typeof layerScriptedLender>>,
    Layer.Layer<Layer.Success<ReturnType<typeof promising>>, F, Layer.Success<typeof layerScriptedLender>>
  ]
) => {
  const both = Effect.map(freshDatabase, (url) => {
    const [one, other] = nodes(url)
    const beside = Effect.gen(function*() {
      const shared = Layer.succeedContext(yield* Effect.context<Outside>())
      return OtherNode.of(yield* started(Layer.fresh(Layer.provideMerge(other, shared))))
    })
    return Layer.merge(Layer.effect(OtherNode, beside), one)
  })
  return Layer.provideMerge(Layer.unwrap(both), outside)
}

/** A node that promises work, on a PostgreSQL of its own. */
export const layerPromising = Layer.provideMerge(Layer.unwrap(Effect.map(freshDatabase, promising)), outside)

/** Two such nodes. */
export const layerTwoPromising = twoNodes((url) => [promising(url), promising(url)])

/** Two nodes that do what either promises. */
export const layerTwoWorking = twoNodes((url) => [working(url, "one"), working(url, "other")])
