import { Effect } from "effect"
import { familyTime, metered, processorTime } from "../measure/processorTime.ts"
import { type Bench } from "./setUp.ts"

/** Duration of the measurement in seconds. */
const seconds = 5

/**
 * Measures the processor time of both servers and of PostgreSQL while no request runs, in milliseconds per second. The
 * workers of Lastro poll for jobs all the time, even while the hand-written server is measured.
 */
export const measureIdle = Effect.fn("measureIdle")(function*({ lastro, peer }: Bench, postmaster: number | undefined) {
  const times = [
    metered(() => processorTime(lastro.pid)),
    metered(() => processorTime(peer.pid)),
    metered(() => familyTime(postmaster))
  ]
  yield* Effect.sleep(seconds * 1_000)
  const [ours, theirs, postgres] = times.map((time) => (time() ?? Number.NaN) / seconds)
  return { lastro: ours ?? Number.NaN, peer: theirs ?? Number.NaN, postgres: postgres ?? Number.NaN }
})
