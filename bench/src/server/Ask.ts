/** A request to a server. */
export interface Ask {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** A JSON value. */
  readonly body?: object
}

/** Returns the headers of a request. */
export const headersOf = ({ body, headers, token }: Ask): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...headers
})

/** Returns one request of each caller for the same path. */
export const asEach = (path: string, tokens: ReadonlyArray<string>): ReadonlyArray<Ask> =>
  tokens.map((token) => ({ path, token }))
