import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { metered, processorTime } from "../measure/processorTime.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { type Served } from "../server/startServer.ts"
import { type Flood, type FloodResult } from "./Flood.ts"
import { probing } from "./probe.ts"

/** Result of one flood. Times are in milliseconds. */
export interface Flooded {
  readonly sentPerSecond: number
  readonly acceptedPerSecond: number
  readonly refusedPerSecond: number
  /** Number of requests with neither a 2xx nor a 503 response. */
  readonly others: number
  readonly p50: number
  readonly p99: number
  /** The p99 without the first two seconds, in which all connections are opened. */
  readonly laterP99: number
  readonly refusedP99: number
  /** Longest durations of the health checks, sent every 50 ms. */
  readonly slowestLive: number
  readonly slowestReady: number
  /** Number of health checks without a 200 response. */
  readonly unhealthy: number
  /** Share of one core that the server process used. */
  readonly serverCpu: number | undefined
}

const program = join(import.meta.dirname, "autocannon.ts")

const run = (flood: Flood): Promise<FloodResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env["PATH"], FLOOD: JSON.stringify(flood) },
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more
    })
    child.once("close", () => {
      try {
        resolve(JSON.parse(text))
      } catch {
        reject(new Error("The load generator failed"))
      }
    })
  })

/** Floods a server from a separate process, and checks its health meanwhile. */
export const send = (served: Served, flood: Flood): Effect.Effect<Flooded> =>
  Effect.gen(function*() {
    const time = metered(() => processorTime(served.pid))
    const flooding = probing(`${served.url}/health/ready`, {}, Effect.promise(() => run(flood)))
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
