import { Effect } from "effect"
import { createServer } from "node:http"

/** The bytes that an OTLP collector received, by path. */
export interface Collector {
  readonly url: string
  readonly received: (path: string) => Buffer
}

/** An OTLP collector that records request bodies. */
export const collector = Effect.acquireRelease(
  Effect.promise(() =>
    new Promise<Collector & { readonly close: () => void }>((resolve) => {
      const bodies = new Map<string, Array<Buffer>>()
      const server = createServer((request, response) => {
        const chunks = bodies.get(request.url ?? "") ?? []
        bodies.set(request.url ?? "", chunks)
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => response.end())
      }).listen(0, "127.0.0.1", () => {
        const address = server.address()
        resolve({
          url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
          received: (path) => Buffer.concat(bodies.get(path) ?? []),
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })
      })
    })
  ),
  ({ close }) => Effect.sync(close)
)
