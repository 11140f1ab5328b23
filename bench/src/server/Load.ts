import { type Ask } from "./Ask.ts"

/** The load that the load generator applies to a server. The generator receives it as JSON on standard input. */
export interface Load {
  /** The address of the server. */
  readonly url: string
  /** Number of concurrent connections, each with one request at a time. */
  readonly connections: number
  /** Requests per second. If absent, each connection sends its next request as soon as it has a response. */
  readonly perSecond?: number | undefined
  readonly seconds: number
  /**
   * Milliseconds at the beginning in which responses are not measured, because the load generator itself is slow until
   * V8 has compiled it. Default: 0.
   */
  readonly settle?: number | undefined
  /**
   * Lists of requests. Each connection repeats the requests of one list. The first connection has the first list, and
   * so on.
   */
  readonly lanes: ReadonlyArray<ReadonlyArray<Ask>>
}

/** The result that the load generator writes as JSON to standard output. */
export interface LoadResult {
  /** Duration of each 2xx response in milliseconds. */
  readonly accepted: ReadonlyArray<number>
  /** Number of all 2xx responses, including those that are not measured. */
  readonly answered: number
  /**
   * Duration of each 2xx response in milliseconds, without the first two seconds, in which the connections are opened.
   */
  readonly acceptedLater: ReadonlyArray<number>
  /** Duration of each 503 response in milliseconds. */
  readonly refused: ReadonlyArray<number>
  /** Number of requests with any other result. */
  readonly others: number
  readonly milliseconds: number
}
