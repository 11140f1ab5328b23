import { Result } from "effect"
import { availableParallelism } from "node:os"
import { type Environment, integer, optional, type Reader, refuse, type SettingRefused } from "./readers.ts"

const mostWorkers = 64

/** The default number of database connections and of concurrent requests of a single process. */
const single = { pool: 10, concurrency: 8 } as const

/**
 * The minimum number of database connections and of concurrent requests per worker, unless the operator sets fewer
 * connections.
 */
const least = { pool: 5, concurrency: 4 } as const

const count: Reader<number | "auto"> = (name, value) =>
  value === "auto" ? Result.succeed(value) : Result.orElse(
    integer(1, mostWorkers)(name, value),
    () => refuse(name, `must be auto, or a whole number from 1 to ${mostWorkers}`)
  )

/**
 * Reads the number of workers. `auto` is the number of processors that this process may use, including the limit of the
 * container (cgroup). With the embedded database, `auto` is 1, because only one process can open it.
 */
export const readWorkers = (environment: Environment, isServer: boolean): Result.Result<number, SettingRefused> =>
  Result.flatMap(optional(environment, "LASTRO_WORKERS", count), (read = 1) => {
    const automatic = isServer ? Math.min(availableParallelism(), mostWorkers) : 1
    const workers = read === "auto" ? automatic : read
    if (workers > 1 && !isServer) {
      return refuse(
        "LASTRO_WORKERS",
        "must be 1 with the embedded database, which only one process can open. Set DATABASE_URL to use PostgreSQL"
      )
    }
    if (workers > 1 && process.platform === "win32") return refuse("LASTRO_WORKERS", "must be 1 on Windows")
    return Result.succeed(workers)
  })

/** Reads the maximum number of concurrent requests of all workers together. */
export const readConcurrency = (environment: Environment, workers: number): Result.Result<number, SettingRefused> =>
  Result.gen(function*() {
    const lowest = workers * least.concurrency
    const total = yield* optional(environment, "LASTRO_CONCURRENCY", integer(4, 1_000))
    if (total === undefined) return Math.max(single.concurrency, lowest)
    if (total >= lowest) return total
    return yield* refuse("LASTRO_CONCURRENCY", `must be at least ${lowest}: 4 for each of ${workers} workers`)
  })

/**
 * Reads the maximum number of database connections of all workers together. Undefined for a single process with the
 * default.
 */
export const readPool = (
  environment: Environment,
  workers: number
): Result.Result<number | undefined, SettingRefused> =>
  Result.flatMap(optional(environment, "LASTRO_DB_POOL", integer(1, 1_000)), (total) => {
    if (workers === 1) return Result.succeed(total)
    if (total === undefined) return Result.succeed(Math.max(single.pool, workers * least.pool))
    return total < workers
      ? refuse("LASTRO_DB_POOL", `must be at least ${workers}: one connection for each of ${workers} workers`)
      : Result.succeed(total)
  })

/** Returns the share of one worker in a total. The first workers get one more if the total is not divisible. */
const shareOf = (total: number, index: number, workers: number): number =>
  Math.floor(total / workers) + (index <= total % workers ? 1 : 0)

const mebibyte = 1_048_576

/**
 * Returns the flags that limit the heap of each worker, unless the operator has set them. `given` has the flags of this
 * process. `memory` is the number of bytes for all workers. The measurements are in docs/performance.md.
 */
export const heapFlags = (given: string, memory: number, workers: number): ReadonlyArray<string> => {
  const half = Math.floor(memory / 2 / workers / mebibyte)
  const flags = {
    "--max-semi-space-size": 8,
    "--max-old-space-size": Math.max(128, Math.min(256, half))
  }
  const isGiven = (flag: string) =>
    given.includes(flag) || given.includes(flag.replaceAll("-", "_").replace("__", "--"))
  return Object.entries(flags).flatMap(([flag, value]) => isGiven(flag) ? [] : [`${flag}=${value}`])
}

/** The place of a worker: its number, starting at 1, and the number of workers. */
export interface WorkerPlace {
  readonly index: number
  readonly workers: number
}

/**
 * Returns the environment of a worker. It has the settings of the supervisor, but its own label and its share of the
 * connections and of the concurrent requests. It has no port of the metrics, because the supervisor serves them.
 */
export const workerEnvironment = (
  environment: Environment,
  { concurrency, node, pool }: { readonly concurrency: number; readonly node: string; readonly pool: number },
  { index, workers }: WorkerPlace
): Environment => ({
  ...environment,
  LASTRO_WORKERS: "1",
  LASTRO_METRICS_PORT: "",
  LASTRO_NODE: `${node}/${index}`,
  LASTRO_CONCURRENCY: String(shareOf(concurrency, index, workers)),
  LASTRO_DB_POOL: String(shareOf(pool, index, workers))
})
