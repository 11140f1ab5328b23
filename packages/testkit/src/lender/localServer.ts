import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** Reads the whole body of a request. */
export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Serves requests on a free local port. If the handler of a request rejects, the connection closes. */
export const startLocalServer = async (
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch(() => response.destroy())
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
