import type { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { type ConnectionQueue } from "./pglite/ConnectionQueue.ts"
import { pollForever } from "./pollForever.ts"

interface Checkpoints {
  readonly session: Pick<PGlite, "exec">
  readonly queue: ConnectionQueue
  /** Returns the number of bytes written to the WAL since the start. */
  readonly walBytes: () => number
}

/**
 * Number of bytes of WAL after which a checkpoint runs. It limits the size of the WAL and the duration of a recovery.
 */
const checkpointBytes = 64 * 1024 * 1024

/**
 * Runs a checkpoint whenever the WAL has grown by 64 MiB. A server has a process for this. PGlite has none: it would
 * run checkpoints only at the start and the end, and keep the whole WAL in between.
 */
export const runCheckpoints = ({ queue, session, walBytes }: Checkpoints): Effect.Effect<never> => {
  let bytesAtLast = 0
  const checkpoint = Effect.promise(async () => {
    const isDue = walBytes() - bytesAtLast >= checkpointBytes
    const owner = {}
    if (!isDue || !(await queue.acquire(owner))) return 0
    try {
      // Set first, so that after a failure, the next checkpoint follows after another 64 MiB.
      bytesAtLast = walBytes()
      await session.exec("checkpoint")
    } finally {
      queue.release(owner)
    }
    return 0
  })
  return pollForever({
    processBatch: checkpoint,
    batchSize: 1,
    interval: "1 second",
    failureMessage: "The checkpoint of the embedded database failed; the next one follows after 64 MiB of changes."
  })
}
