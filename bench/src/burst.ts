import { Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { benchmark, dataFlags, shown, table, whole } from "./harness/benchmark.ts"
import { seededLastro } from "./harness/callers.ts"
import { database } from "./harness/database.ts"
import { isOk } from "./harness/processes.ts"
import { percentilesOf } from "./harness/statistics.ts"

/** A load that `hey` sends. Each caller has a separate process. */
interface HeyLoad {
  readonly url: string
  readonly tokens: ReadonlyArray<string>
  readonly seconds: number
  /** Number of connections. If each request opens its own connection: number of requests in progress. */
  readonly connections: number
  readonly opens?: boolean
  /** Maximum number of requests per second. Default: no limit. */
  readonly perSecond?: number
}

/** Runs the load generator `hey`. Returns the time in seconds and the status of each request. */
const runHey = (args: ReadonlyArray<string>) =>
  Effect.promise(async (signal) => {
    const child = spawn("hey", args, { signal, stdio: ["ignore", "pipe", "inherit"] })
    const missing = new Promise<never>((_, reject) =>
      child.once("error", (cause) => reject(new Error("Install hey (Debian: apt-get install hey).", { cause })))
    )
    const [, ...lines] = (await Promise.race([text(child.stdout), missing])).trim().split("\n")
    return lines.map((line) => ({ seconds: Number(line.split(",")[0]), status: line.split(",")[6] }))
  })

/**
 * Sends a load. Times are in milliseconds, until the end of the response. They include opening the connection, if there
 * is one.
 */
const sendByHey = Effect.fnUntraced(function*(load: HeyLoad) {
  const { connections, opens = false, perSecond, seconds, tokens, url } = load
  const lines = yield* Effect.forEach(tokens, (token) =>
    runHey([
      ...`-z ${seconds}s -o csv -c ${Math.ceil(connections / tokens.length)} -H`.split(" "),
      `Authorization: Bearer ${token}`,
      ...perSecond === undefined ? [] : ["-q", String(perSecond / connections)],
      ...opens ? ["-disable-keepalive"] : [],
      url
    ]), { concurrency: "unbounded" })
  const all = lines.flat()
  const accepted = all.filter(({ status }) => status === "200").map(({ seconds }) => seconds * 1_000)
  const refused = all.filter(({ status }) => status === "503").length
  return {
    sent: all.length / seconds,
    accepted: accepted.length / seconds,
    refused: refused / seconds,
    others: all.length - accepted.length - refused,
    ...percentilesOf(accepted)
  }
})

/** Sends a health check on a new connection every 50 ms while an effect runs. Returns the results of both. */
const withHealthChecks = Effect.fnUntraced(function*<A>(url: string, run: Effect.Effect<A>) {
  const times: Array<number> = []
  let failed = 0
  const check = Effect.gen(function*() {
    const start = performance.now()
    if (!(yield* Effect.promise(() => isOk(url)))) failed += 1
    times.push(performance.now() - start)
    yield* Effect.sleep("50 millis")
  })
  const checking = yield* Effect.forkChild(Effect.forever(check))
  const result = yield* run
  yield* Fiber.interrupt(checking)
  return { ...result, failed, health: percentilesOf(times) }
})

const flags = {
  ...dataFlags,
  seconds: whole("seconds", 10, "Seconds per run"),
  times: whole("times", 10, "Multiple of the load that the server sustains"),
  connections: whole("connections", 2_000, "Maximum number of requests in progress under overload"),
  rounds: whole("rounds", 3, "Number of rounds")
}

/**
 * Measures reads of a page of users under four loads:
 * 1. the load that the server sustains,
 * 2. a multiple of it, on connections that are opened at the same time,
 * 3. the same multiple, with one connection per request,
 * 4. the first load again, 5 s later.
 */
export const burst = benchmark(
  "burst",
  "Measures bursts of new connections under overload, with the load generator hey",
  flags,
  Effect.fnUntraced(function*(options) {
    const { connections, rounds, seconds, times } = options
    const { callers, lastro } = yield* seededLastro({ ...options, applications: 0 })
    const tokens = callers.map(({ token }) => token)
    const sustained = { url: `${lastro.url}/api/v1/users?size=20`, tokens, seconds, connections: 16 }
    const measure = (load: HeyLoad) => withHealthChecks(`${lastro.url}/health/live`, sendByHey(load))
    yield* sendByHey(sustained)
    const measured: Array<{ readonly name: string } & Effect.Success<ReturnType<typeof measure>>> = []
    for (let round = 1; round <= rounds; round++) {
      const rested = yield* measure(sustained)
      const over = { ...sustained, connections, perSecond: rested.accepted * times }
      const flooded = yield* measure(over)
      const opening = yield* Effect.delay(measure({ ...over, opens: true }), "5 seconds")
      const recovered = yield* Effect.delay(measure(sustained), "5 seconds")
      measured.push(
        { name: `${round}, sustained`, ...rested },
        { name: `${round}, ${times} ×`, ...flooded },
        { name: `${round}, ${times} ×, a connection for each request`, ...opening },
        { name: `${round}, 5 s later`, ...recovered }
      )
    }
    const head = ["sent/s", "200/s", "503/s", "others", "p50 ms", "p99 ms", "max ms", "health p50 ms", "health p99 ms"]
    const rows = measured.map(({ accepted, failed, health, name, others, p50, p99, refused, sent, slowest }) => [
      name,
      ...[sent, accepted, refused, others + failed, p50, p99, slowest, health.p50, health.p99].map((value) =>
        shown(value)
      )
    ])
    return { lines: [table(["round, load", ...head], rows)], results: { measured } }
  }, Effect.provide(database))
)
