/** What is asked of a server, as JSON in the variable `LOAD` of the process that asks. */
export interface Load {
  readonly url: string
  /** Connections at once, each with one request under way. */
  readonly connections: number
  readonly seconds: number
  /** Bearer tokens that are used in turn. */
  readonly tokens: ReadonlyArray<string>
}

/** What came of it, as JSON on standard output. */
export interface LoadResult {
  /** Milliseconds of each answer. */
  readonly times: ReadonlyArray<number>
  readonly milliseconds: number
  /** Requests without an answer of 2xx. */
  readonly failed: number
}
