import { Effect } from "effect"
import { type Ask, headersOf } from "./Ask.ts"
import { type Served } from "./startServer.ts"

/** Headers that are not compared, because they differ between responses or connections. */
const own = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"])

const request_id = "bench-same-answers"

/** Sends a request. Returns the status, the headers and the body as one text. */
export const askText = async ({ url }: Served, ask: Ask): Promise<string> => {
  const answer = await fetch(url + ask.path, {
    method: ask.method ?? "GET",
    headers: { ...headersOf(ask), "x-request-id": request_id },
    ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) })
  })
  const headers = [...answer.headers].filter(([name]) => !own.has(name)).map(([name, value]) =>
    `${name}: ${value.replace("; charset=utf-8", "")}`
  )
  return [answer.status, ...headers.toSorted(), await answer.text()].join("\n")
}

/** Returns the ETag of a response, if it has one. */
export const etagOf = (answer: string): string | undefined => /^etag: (.*)$/m.exec(answer)?.[1]

/**
 * Checks that both servers respond to a request with the same status, headers and bytes. If the response has an ETag,
 * repeats the request with `If-None-Match`. Returns the number of compared responses.
 */
export const compareAnswers = (lastro: Served, peer: Served, ask: Ask): Effect.Effect<number> =>
  Effect.gen(function*() {
    const [expected, answer] = yield* Effect.promise(() => Promise.all([askText(lastro, ask), askText(peer, ask)]))
    if (answer !== expected) {
      return yield* Effect.die(
        new Error(`Answers to ${ask.method ?? "GET"} ${ask.path} differ:\n${expected}\n\n${answer}`)
      )
    }
    const etag = etagOf(expected)
    return etag === undefined || ask.headers !== undefined || ask.method !== undefined
      ? 1
      : 1 + (yield* compareAnswers(lastro, peer, { ...ask, headers: { "if-none-match": etag } }))
  })
