import { Effect } from "effect"
import { spawn } from "node:child_process"
import { ascending, quantile } from "../measure/quantile.ts"

/** A load that `hey` sends. */
export interface HeyLoad {
  readonly url: string
  /** The access tokens of the callers. Each caller has its own process. */
  readonly tokens: ReadonlyArray<string>
  readonly seconds: number
  /** Number of connections, or of requests in progress if each request has its own connection. */
  readonly connections: number
  /** Maximum number of requests per second. Default: no limit. */
  readonly perSecond?: number
  /** Opens a connection for each request. */
  readonly opens: boolean
}

/** The responses to a load. Times are in milliseconds, from the start of the connection, if any, to the end of the response. */
interface HeyResult {
  readonly sentPerSecond: number
  readonly acceptedPerSecond: number
  readonly refusedPerSecond: number
  /** Number of responses other than 200 and 503. */
  readonly others: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
}

/** A line of the output: the time in seconds, and the status. */
interface Line {
  readonly seconds: number
  readonly status: string
}

const missing = "This benchmark needs the load generator hey (Debian: apt-get install hey)."

const run = (args: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Line>> =>
  Effect.promise((signal) =>
    new Promise((resolve, reject) => {
      const child = spawn("hey", args, { signal, stdio: ["ignore", "pipe", "inherit"] })
      let text = ""
      child.stdout.setEncoding("utf8").on("data", (part: string) => {
        text += part
      })
      child.once("error", (cause) => reject(new Error(missing, { cause })))
      child.once("close", () => {
        const [, ...lines] = text.trim().split("\n")
        resolve(lines.map((line) => {
          const [seconds = "", , , , , , status = ""] = line.split(",")
          return { seconds: Number(seconds), status }
        }))
      })
    })
  )

/** Sends a load with the load generator `hey`, one process for each caller. */
export const sendByHey = Effect.fn("sendByHey")(function*(load: HeyLoad) {
  const { connections, opens, perSecond, seconds, tokens, url } = load
  const lines = (yield* Effect.forEach(tokens, (token) =>
    run([
      "-z",
      `${seconds}s`,
      "-o",
      "csv",
      "-H",
      `Authorization: Bearer ${token}`,
      "-c",
      String(Math.ceil(connections / tokens.length)),
      ...perSecond === undefined ? [] : ["-q", String(perSecond / connections)],
      ...opens ? ["-disable-keepalive"] : [],
      url
    ]), { concurrency: "unbounded" })).flat()
  const accepted = ascending(lines.filter(({ status }) => status === "200").map((line) => line.seconds * 1_000))
  const refused = lines.filter(({ status }) => status === "503").length
  return {
    sentPerSecond: lines.length / seconds,
    acceptedPerSecond: accepted.length / seconds,
    refusedPerSecond: refused / seconds,
    others: lines.length - accepted.length - refused,
    p50: quantile(accepted, 0.5),
    p99: quantile(accepted, 0.99),
    slowest: accepted.at(-1) ?? Number.NaN
  } satisfies HeyResult
})
