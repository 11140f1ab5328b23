import { Effect } from "effect"
import { familyTime, metered, processorTime } from "../measure/processorTime.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { generateLoad } from "./generateLoad.ts"
import { type Load } from "./Load.ts"
import { type Served } from "./startServer.ts"

/** Result of one run of the load generator. Times are in milliseconds. */
export interface Shot {
  /** Number of 503 responses. On a busy machine, Lastro rejects requests that would have to wait too long. */
  readonly refused: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of the server process per request, in milliseconds; undefined if unavailable. */
  readonly serverCpu: number | undefined
  /** Processor time of all PostgreSQL processes per request, in milliseconds; undefined if unavailable. */
  readonly databaseCpu: number | undefined
}

/** Milliseconds at the beginning of a run that are not measured. */
const settle = 300

/** Applies load to a server from a separate process. */
export const shoot = (
  { name, pid }: Served,
  load: Load,
  postmaster: number | undefined
): Effect.Effect<Shot> =>
  Effect.gen(function*() {
    const serverTime = metered(() => processorTime(pid))
    const databaseTime = metered(() => familyTime(postmaster))
    const { accepted: times, answered, milliseconds, others, refused } = yield* generateLoad({ ...load, settle })
    const [serverUsed, databaseUsed] = [serverTime(), databaseTime()]
    if (others > 0 || times.length === 0) {
      return yield* Effect.die(new Error(`${name} returned neither 2xx nor 503 to ${others} requests`))
    }
    const each = (total: number | undefined) => total === undefined ? undefined : total / answered
    const sorted = ascending(times)
    return {
      refused: refused.length,
      perSecond: times.length / milliseconds * 1000,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      serverCpu: each(serverUsed),
      databaseCpu: each(databaseUsed)
    }
  })
