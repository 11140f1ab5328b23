import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { familyTime, metered, processorTime } from "../measure/processorTime.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { type Load, type LoadResult } from "./Load.ts"
import { type Served } from "./startServer.ts"

/** Result of one run of the load generator. Times are in milliseconds. */
export interface Shot {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of the server process per request; undefined if unavailable. */
  readonly serverCpu: number | undefined
  /** Processor time of all PostgreSQL processes per request; undefined if unavailable. */
  readonly databaseCpu: number | undefined
}

const program = join(import.meta.dirname, "autocannon.ts")

const send = (load: Load): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env["PATH"], LOAD: JSON.stringify(load) },
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

/** Applies load to a server from a separate process. */
export const shoot = (
  { name, pid }: Served,
  load: Load,
  postmaster: number | undefined
): Effect.Effect<Shot> =>
  Effect.gen(function*() {
    const serverTime = metered(() => processorTime(pid))
    const databaseTime = metered(() => familyTime(postmaster))
    const { failed, milliseconds, times } = yield* Effect.promise(() => send(load))
    const [serverUsed, databaseUsed] = [serverTime(), databaseTime()]
    if (failed > 0) return yield* Effect.die(new Error(`${name} returned no 2xx response to ${failed} requests`))
    const each = (total: number | undefined) => total === undefined ? undefined : total / times.length
    const sorted = ascending(times)
    return {
      perSecond: times.length / milliseconds * 1000,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      serverCpu: each(serverUsed),
      databaseCpu: each(databaseUsed)
    }
  })
