import { Context, type Effect } from "effect"
import { type DurableWorkPorts } from "./observedWork.ts"

/** A node that runs durable jobs, with a scripted lender of its own. */
export interface WorkNode {
  /** Runs an effect with the ports of this node. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, DurableWorkPorts>) => Effect.Effect<A, E>
  /** Cuts the node off its store, without an error, as a frozen process or a silent network does. Its calls to the lender go on. */
  readonly isolate: Effect.Effect<void>
  /** Lets the node reach its store again. */
  readonly heal: Effect.Effect<void>
}

/** Two nodes on one store, for `durableNodesSuite`. */
export class WorkNodes extends Context.Service<WorkNodes, {
  readonly one: WorkNode
  readonly other: WorkNode
}>()("@lastro/testkit/suites/work/WorkNodes") {}
