/** A recorded response of Lastro. The bare server, which contains no logic, sends it for each request. */
export interface Recorded {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The headers that Node adds, or that differ between responses. They are not recorded. */
const added: ReadonlySet<string> = new Set(["connection", "date", "keep-alive", "x-request-id"])

/** Records the response to a request. */
export const record = async (server: string, path: string, token: string): Promise<Recorded> => {
  const reply = await fetch(server + path, { headers: { authorization: `Bearer ${token}` } })
  const body = await reply.text()
  if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}: ${body}`)
  return { path, body, headers: Object.fromEntries([...reply.headers].filter(([name]) => !added.has(name))) }
}
