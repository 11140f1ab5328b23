import { type Application } from "@lastro/domain/loan"
import { centavos } from "@lastro/domain/values"
import { assert } from "chai"
import { Context, Effect, Latch } from "effect"
import { held, offering } from "../../lender/quoteAnswers.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically } from "../suite/transactions.ts"
import {
  awaitAnswer,
  awaitRequests,
  countQuoteRequests,
  type DurableWorkPorts,
  netAmount,
  offerAnswer,
  setQuoteAnswers,
  startQuote,
  storePending
} from "./observedWork.ts"

/** Stores an application and starts its job on a node. */
const startOn = ({ run }: WorkNode) =>
  run(Effect.tap(storePending, (application) => atomically(startQuote(application))))

/** Returns the number of requests to the lender for an application, for each node. */
const countsOf = (nodes: ReadonlyArray<WorkNode>, application: Application) =>
  Effect.forEach(nodes, ({ run }) => run(countQuoteRequests(application)))

const netAmounts = ({ quotes }: Application) => quotes[0].offers.map(({ terms }) => terms.net_amount)

const answerWith = (node: WorkNode, answer: typeof offerAnswer) => node.run(setQuoteAnswers(answer))

/** Starts jobs on a node until the node itself has run one of them. */
const awaitRun = Effect.fnUntraced(function*(node: WorkNode) {
  for (;;) {
    const application = yield* startOn(node)
    yield* node.run(awaitAnswer(application))
    if ((yield* node.run(countQuoteRequests(application))) > 0) return
  }
})

/** Contract cases for DurableWork: two nodes on one store. */
export const durableNodesCases: ContractCases<WorkNodes> = (it) => {
  it("two nodes share the jobs, and run each of them once", function*() {
    const { one, other } = yield* WorkNodes
    const nodes = [one, other]
    yield* Effect.forEach(nodes, (node) => answerWith(node, offerAnswer))
    const jobs = Array.from({ length: 20 }, (_, index) => startOn(index % 2 === 0 ? one : other))
    const applications = yield* Effect.all(jobs, { concurrency: 4 })
    for (const application of applications) {
      yield* one.run(awaitAnswer(application))
      const [first = 0, second = 0] = yield* countsOf(nodes, application)
      assert.strictEqual(first + second, 1)
    }
    yield* Effect.all([awaitRun(one), awaitRun(other)], { concurrency: 2 })
  })

  it(
    "a job of a node that loses its store runs on the other node, and the first one's late outcome is not recorded",
    function*() {
      const { one, other } = yield* WorkNodes
      const gate = Latch.makeUnsafe()
      const late = held(gate, offering(centavos(700_00)))
      yield* Effect.forEach([one, other], (node) => answerWith(node, late))
      const application = yield* startOn(one)
      const runOn = (node: WorkNode) => Effect.as(node.run(awaitRequests(application, 1)), node)
      const holder = yield* Effect.raceFirst(runOn(one), runOn(other))
      const taker = holder === one ? other : one
      yield* answerWith(taker, offerAnswer)
      yield* holder.isolate
      const taken = yield* taker.run(awaitAnswer(application))
      assert.deepStrictEqual(netAmounts(taken), [netAmount])

      yield* gate.open
      yield* holder.heal
      yield* answerWith(holder, offerAnswer)
      yield* awaitRun(holder)
      const present = yield* holder.run(awaitAnswer(application))
      assert.deepStrictEqual(netAmounts(present), [netAmount])
      assert.deepStrictEqual(yield* countsOf([one, other], application), [1, 1])
    },
    60_000
  )
}

/** A node that runs durable jobs, with a scripted lender of its own. */
export interface WorkNode {
  /** Runs an effect with the ports of this node. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, DurableWorkPorts>) => Effect.Effect<A, E>
  /**
   * Isolates the node from its store without an error, like a frozen process or a silent network. Its calls to the
   * lender continue.
   */
  readonly isolate: Effect.Effect<void>
  /** Ends the isolation of the node. */
  readonly heal: Effect.Effect<void>
}

/** Two nodes on one store, for `durableNodesSuite`. */
export class WorkNodes extends Context.Service<WorkNodes, {
  readonly one: WorkNode
  readonly other: WorkNode
}>()("@lastro/testkit/suites/jobs/durableNodesCases/WorkNodes") {}
