import { Effect } from "effect"
import { metered, processorTime } from "../measure/processorTime.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { generateLoad } from "../server/generateLoad.ts"
import { type Load } from "../server/Load.ts"
import { type Served } from "../server/startServer.ts"
import { probing } from "./probe.ts"

/** The result of applying one load. Times are in milliseconds. */
export interface Flooded {
  readonly sentPerSecond: number
  readonly acceptedPerSecond: number
  readonly refusedPerSecond: number
  /** Number of requests with neither a 2xx nor a 503 response. */
  readonly others: number
  readonly p50: number
  readonly p99: number
  /** The p99 without the first two seconds, in which the connections are opened. */
  readonly laterP99: number
  readonly refusedP99: number
  /** The longest duration of a liveness check. One is sent every 50 ms. */
  readonly slowestLive: number
  readonly slowestReady: number
  /** Number of health checks without a 200 response. */
  readonly unhealthy: number
  /** Share of one core that the server process used. */
  readonly serverCpu: number | undefined
}

/** Sends a load to a server from a separate process. Checks the health of the server at the same time. */
export const send = (served: Served, flood: Load): Effect.Effect<Flooded> =>
  Effect.gen(function*() {
    const time = metered(() => processorTime(served.pid))
    const flooding = probing(`${served.url}/health/ready`, {}, generateLoad(flood))
    const [[flooded, ready], live] = yield* probing(`${served.url}/health/live`, {}, flooding)
    const { accepted, acceptedLater, milliseconds, others, refused } = flooded
    const used = time()
    const perSecond = (count: number) => count / milliseconds * 1_000
    const sorted = ascending(accepted)
    return {
      sentPerSecond: perSecond(accepted.length + refused.length + others),
      acceptedPerSecond: perSecond(accepted.length),
      refusedPerSecond: perSecond(refused.length),
      others,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      laterP99: quantile(ascending(acceptedLater), 0.99),
      refusedP99: quantile(ascending(refused), 0.99),
      slowestLive: live.slowest,
      slowestReady: ready.slowest,
      unhealthy: live.failed + ready.failed,
      serverCpu: used === undefined ? undefined : used / milliseconds
    }
  })
