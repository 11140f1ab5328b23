import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { json } from "node:stream/consumers"

/** A request to a server. */
export interface Ask {
  readonly method?: "GET" | "PATCH"
  readonly path: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** A JSON value. */
  readonly body?: object
}

/** Returns the HTTP form of a request: its method, path, headers and body. */
export const requestOf = ({ body, headers, method = "GET", path, token }: Ask) => ({
  method,
  path,
  headers: {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers
  } as Readonly<Record<string, string>>,
  ...(body === undefined ? {} : { body: JSON.stringify(body) })
})

/** The load that the load generator applies to a server. */
export interface Load {
  readonly url: string
  /** Number of concurrent connections. Each has one request at a time. */
  readonly connections: number
  /** Maximum number of requests per second. Default: no limit. */
  readonly perSecond?: number
  /** Duration of the load in seconds. Absent if `requests` ends the load. */
  readonly seconds?: number
  /** Number of requests after which the load ends. Absent if `seconds` ends it. */
  readonly requests?: number
  /** Milliseconds at the start that are not measured, because V8 is still compiling the load generator. Default: 0. */
  readonly settle?: number
  /** Lists of requests. Each connection takes one list and repeats its requests. */
  readonly lanes: ReadonlyArray<ReadonlyArray<Ask>>
}

/** The result of a load: the duration of each measured 2xx response in milliseconds, and numbers of responses. */
export interface LoadResult {
  readonly accepted: ReadonlyArray<number>
  /** Number of all 2xx responses, including those that are not measured. */
  readonly answered: number
  /** Number of 503 responses. */
  readonly refused: number
  readonly others: number
  readonly milliseconds: number
}

/** Applies load to a server from a separate process, and returns the results. */
export const generateLoad = (load: Load): Effect.Effect<LoadResult> =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "autocannon.ts")], {
      env: { PATH: process.env["PATH"] },
      stdio: ["pipe", "pipe", "inherit"]
    })
    child.stdin.end(JSON.stringify({ ...load, lanes: load.lanes.map((lane) => lane.map(requestOf)) }))
    return await json(child.stdout) as LoadResult
  })
