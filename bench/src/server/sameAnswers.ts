import { Effect } from "effect"
import { type Served } from "./startServer.ts"

/** Headers that always differ between responses or connections. */
const own = new Set(["connection", "date", "keep-alive", "x-request-id"])

const ask = async (url: string, token: string): Promise<string> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const headers = [...answer.headers].filter(([name]) => !own.has(name)).map(([name, value]) =>
    `${name}: ${value.replace("; charset=utf-8", "")}`
  )
  return [answer.status, ...headers.toSorted(), await answer.text()].join("\n")
}

const nobody = "nobody"

/** Checks that all servers send the same status, headers and bytes, for every caller and every page. */
export const sameAnswers = (
  servers: ReadonlyArray<Served>,
  path: string,
  tokens: ReadonlyArray<string>,
  queries: ReadonlyArray<string>
): Effect.Effect<void> => {
  const same = Effect.fnUntraced(function*(query: string, token: string) {
    const [expected = "", ...others] = yield* Effect.promise(() =>
      Promise.all(servers.map(({ url }) => ask(`${url}${path}${query}`, token)))
    )
    if (!expected.startsWith(token === nobody ? "401" : "200")) return yield* Effect.die(new Error(expected))
    const isOther = (answer: string) => token === nobody ? !answer.startsWith("401") : answer !== expected
    const other = others.find(isOther)
    if (other !== undefined) {
      return yield* Effect.die(new Error(`Responses to ${path}${query} differ:\n${expected}\n\n${other}`))
    }
  })
  return Effect.forEach(
    queries,
    (query) => Effect.forEach([...tokens, nobody], (token) => same(query, token), { discard: true }),
    { discard: true }
  )
}
