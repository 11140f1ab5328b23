import { layerTokens } from "@lastro/adapters-http"
import { mountNodeApi } from "@lastro/adapters-http/node"
import { openLastro } from "@lastro/domain/promises"
import { layerMemory } from "@lastro/testkit"
import { Layer } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"

/** An API to call, in memory and on a free port, and the credentials of its first client. */
export const startServer = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server listens on no port")
  const issuer = `http://127.0.0.1:${address.port}`

  const lastro = await openLastro(layerTokens({ issuer }).pipe(Layer.provideMerge(layerMemory)))
  const installed = await lastro.bootstrap()
  if (installed._tag === "Failure") throw installed.failure
  if (installed.success === null) throw new Error("there is something in the memory of a new process")
  const api = await mountNodeApi(lastro.layer, { issuer })
  server.on("request", (request, response) => api.handle(request, response))

  const { client_id, client_secret } = installed.success
  const close = async () => {
    await api.close()
    await lastro.close()
    server.closeAllConnections()
    server.close()
  }
  return { baseUrl: issuer, client_id, client_secret, close, [Symbol.asyncDispose]: close }
}
