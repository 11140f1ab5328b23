import { Effect } from "effect"
import { familyTime, metered, processorTime } from "../measure/processorTime.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { generateLoad } from "./generateLoad.ts"
import { type Load } from "./Load.ts"
import { type Served } from "./startServer.ts"

/** Result of one run of the load generator. Times are in milliseconds. */
export interface Shot {
  /** Number of requests without a 2xx response. */
  readonly failed: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Processor time of the server process per request; undefined if unavailable. */
  readonly serverCpu: number | undefined
  /** Processor time of all PostgreSQL processes per request; undefined if unavailable. */
  readonly databaseCpu: number | undefined
}

/** Maximum share of requests without a 2xx response. A busy machine can delay a request beyond the limits of Lastro. */
const maxFailed = 0.005

/** Applies load to a server from a separate process. */
export const shoot = (
  { name, pid }: Served,
  load: Load,
  postmaster: number | undefined
): Effect.Effect<Shot> =>
  Effect.gen(function*() {
    const serverTime = metered(() => processorTime(pid))
    const databaseTime = metered(() => familyTime(postmaster))
    const { accepted: times, milliseconds, others, refused } = yield* generateLoad(load)
    const [serverUsed, databaseUsed] = [serverTime(), databaseTime()]
    const failed = others + refused.length
    if (failed > maxFailed * times.length) {
      return yield* Effect.die(
        new Error(`${name} returned no 2xx response to ${failed} of ${times.length + failed} requests`)
      )
    }
    const each = (total: number | undefined) => total === undefined ? undefined : total / times.length
    const sorted = ascending(times)
    return {
      failed,
      perSecond: times.length / milliseconds * 1000,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      serverCpu: each(serverUsed),
      databaseCpu: each(databaseUsed)
    }
  })
