import { type MountedNodeApi } from "@lastro/adapters-http/node"
import { once } from "node:events"
import { createServer } from "node:http"

/** Serves an API at a free port of this machine. */
export const listening = async ({ handle }: MountedNodeApi) => {
  const server = createServer((request, response) => handle(request, response))
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
