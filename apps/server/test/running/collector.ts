import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"

/** The bytes that an OTLP collector received, by path. */
export interface Collector {
  readonly url: string
  readonly received: (path: string) => Buffer
  /** The headers of the last request to a path. */
  readonly headers: (path: string) => IncomingHttpHeaders
}

/** An OTLP collector that records request bodies. */
export const collector = Effect.acquireRelease(
  Effect.promise(() =>
    new Promise<Collector & { readonly close: () => void }>((resolve) => {
      const bodies = new Map<string, Array<Buffer>>()
      const headers = new Map<string, IncomingHttpHeaders>()
      const server = createServer((request, response) => {
        const chunks = bodies.get(request.url ?? "") ?? []
        bodies.set(request.url ?? "", chunks)
        headers.set(request.url ?? "", request.headers)
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => response.end())
      }).listen(0, "127.0.0.1", () => {
        const address = server.address()
        resolve({
          url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
          headers: (path) => headers.get(path) ?? {},
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
