/** The load that the flood applies to a server. Passed as JSON in the environment variable `FLOOD`. */
export interface Flood {
  readonly url: string
  /** Maximum number of requests in progress. */
  readonly connections: number
  /** Requests per second. If absent, each connection sends its next request as soon as it has a response. */
  readonly perSecond?: number | undefined
  readonly seconds: number
  /** Bearer tokens, which the requests use in turn. */
  readonly tokens: ReadonlyArray<string>
}

/** The result that the flood writes as JSON to standard output. */
export interface FloodResult {
  /** Duration of each 2xx response in milliseconds. */
  readonly accepted: ReadonlyArray<number>
  /** The same, without the responses of the first two seconds, in which all connections are opened. */
  readonly acceptedLater: ReadonlyArray<number>
  /** Duration of each 503 response in milliseconds. */
  readonly refused: ReadonlyArray<number>
  /** Number of requests with any other result. */
  readonly others: number
  readonly milliseconds: number
}
