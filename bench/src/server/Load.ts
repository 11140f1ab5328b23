/** The load that the load generator applies to a server. Passed as JSON in the environment variable `LOAD`. */
export interface Load {
  readonly url: string
  /** Number of concurrent connections, each with one request at a time. */
  readonly connections: number
  readonly seconds: number
  /** Bearer tokens, which the requests use in turn. */
  readonly tokens: ReadonlyArray<string>
}

/** The result that the load generator writes as JSON to standard output. */
export interface LoadResult {
  /** Duration of each response in milliseconds. */
  readonly times: ReadonlyArray<number>
  readonly milliseconds: number
  /** Number of requests that got no 2xx response. */
  readonly failed: number
}
