import { Deferred, Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"

/** A delivery as a receiver gets it. */
export interface Received {
  readonly headers: Record<string, string>
  readonly body: string
  /** The type of the event. */
  readonly type: string
}

/** A receiver on this machine. Answers each delivery with the next of the statuses, and repeats the last. Default: 204. */
export const aReceiver = (...statuses: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const received: Array<Received> = []
    const waiting = new Map<string, Deferred.Deferred<void>>()
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString("utf8")
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const type = String(Object(JSON.parse(body))["type"])
      response.writeHead(statuses[received.length] ?? statuses.at(-1) ?? 204).end()
      received.push({ headers, body, type })
      const waiter = waiting.get(type)
      if (waiter !== undefined) Deferred.doneUnsafe(waiter, Effect.void)
    })
    const port = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        await once(server.listen(0, "127.0.0.1"), "listening")
        return Number(Object(server.address())["port"])
      }),
      () => Effect.sync(() => server.closeAllConnections() ?? server.close())
    )
    /** Waits for an event of this type. */
    const reaches = (type: string) =>
      Effect.suspend(() => {
        if (received.some((delivery) => delivery.type === type)) return Effect.void
        const waiter = waiting.get(type) ?? Deferred.makeUnsafe<void>()
        waiting.set(type, waiter)
        return Deferred.await(waiter)
      })
    return { received, reaches, url: `http://127.0.0.1:${port}/hooks` }
  })
