/** Load of a server: JSON in the environment variable `LOAD` of the load generator. */
export interface Load {
  readonly url: string
  /** Concurrent connections, each with one request in flight. */
  readonly connections: number
  readonly seconds: number
  /** Bearer tokens, used in turn. */
  readonly tokens: ReadonlyArray<string>
}

/** Result, as JSON on standard output. */
export interface LoadResult {
  /** Milliseconds of each response. */
  readonly times: ReadonlyArray<number>
  readonly milliseconds: number
  /** Requests without a 2xx response. */
  readonly failed: number
}
