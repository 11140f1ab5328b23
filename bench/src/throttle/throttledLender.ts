import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"

/** A call that arrived at the lender. */
interface ThrottledCall {
  readonly at: number
  readonly refused: boolean
  readonly body: unknown
}

/** A lender with a rate limit, and a record of the calls that it received. */
export interface ThrottledLender {
  readonly url: string
  /** All calls, in order of arrival. */
  readonly calls: ReadonlyArray<ThrottledCall>
  /** Returns the largest number of calls that were in progress at the same time. */
  readonly mostInFlight: () => number
}

const bytesOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Forwards a call that the limit accepts to the lender at `target`, and sends its response. */
const passOn = (
  target: string,
  { headers, method, url = "" }: IncomingMessage,
  body: Buffer,
  response: ServerResponse
) => {
  const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  forwarded.on("error", () => response.destroy())
  forwarded.end(body)
}

/**
 * Starts a lender that accepts `perSecond` calls per second, without bursts, and forwards them to `target`. It rejects
 * each call above this limit with 429 and `Retry-After: 1`.
 */
export const throttledLender = (
  target: string,
  perSecond: number
): Effect.Effect<ThrottledLender, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const calls: Array<ThrottledCall> = []
      let inFlight = 0
      let most = 0
      let free_at = 0
      const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
        const at = performance.now()
        const refused = at < free_at
        if (!refused) free_at = Math.max(free_at + 1_000 / perSecond, at)
        most = Math.max(most, ++inFlight)
        response.on("close", () => inFlight--)
        const body = await bytesOf(incoming)
        calls.push({ at, refused, body: body.length === 0 ? undefined : JSON.parse(body.toString()) })
        if (refused) return void response.writeHead(429, { "retry-after": "1" }).end()
        passOn(target, incoming, body, response)
      }
      const server = createServer((incoming, response) => {
        serve(incoming, response).catch(() => response.destroy())
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return { url: `http://127.0.0.1:${port}`, calls, mostInFlight: () => most, server }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
