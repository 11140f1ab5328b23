import { registerMetrics } from "@lastro/domain/adapters"
import { type Context, Effect } from "effect"
import { type NodeHealth } from "./NodeHealth.ts"

const largest = (...values: ReadonlyArray<number>): number =>
  values.reduce((found, value) => Math.abs(value) > Math.abs(found) ? value : found, 0)

/** Registers the metrics of the health of this node until the scope closes. */
export const registerNodeMetrics = ({ problem, skewMs }: NodeHealth) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const runSync = Effect.runSyncWith(context)
    return registerMetrics([
      {
        name: "lastro_node_ready",
        description: "1 if this node can work, as GET /health/ready reports it, and 0 otherwise",
        read: () => runSync(problem) === null ? 1 : 0,
        join: Math.min
      },
      {
        name: "lastro_node_clock_skew_seconds",
        description:
          "Difference of the clock of this node from the clock of the database. Above 30 s in either direction the node is not ready",
        read: () => skewMs() / 1_000,
        join: largest
      }
    ])
  })
