import { layerSandboxLender } from "@lastro/domain/adapters"
import { aClient } from "@lastro/testkit"
import { openTestApi } from "@lastro/testkit/http"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { LastroClient, type TransportSettings } from "../src/index.ts"

/** A request that a scripted server has received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  readonly at: number
}

/** The answer to a request: a status, a JSON body or a text, and headers. `lost` cuts the connection. */
export type Answer = "lost" | readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>]

const send = (response: ServerResponse, answer: Answer): void => {
  if (answer === "lost") {
    response.destroy()
    return
  }
  const [status, body, headers = {}] = answer
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "of-the-server", ...headers })
  response.end(text)
}

/**
 * Starts a server on a local port that answers each request with the function. Token requests get a token, and are not
 * passed to it.
 */
export const startScripted = async (
  answer: (request: Received, count: number) => Answer | Promise<Answer>,
  tokenAnswer: (request: Received, count: number) => Answer | Promise<Answer> = (_, count) => [
    200,
    { access_token: `token-${count}`, token_type: "Bearer", expires_in: 900, scope: "" }
  ]
) => {
  const received: Array<Received> = []
  const tokens: Array<Received> = []
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { headers, method = "", url: path = "" } = request
    const one = { method, path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() }
    const isToken = path === "/api/v1/oauth/token"
    const list = isToken ? tokens : received
    list.push(one)
    send(response, await (isToken ? tokenAnswer : answer)(one, list.length))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  return {
    url,
    received,
    tokens,
    client: (options: Partial<TransportSettings> = {}) =>
      new LastroClient({ url, clientId: "shop", clientSecret: "secret", ...options }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

/** An error of the API. */
export const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {}
): Answer => [status, { error: { code, message: "Refused.", request_id: "of-the-server", details: [] } }, headers]

/** Opens the API in memory on a local port, with a client that is signed in as an API client of a partner. */
export const openApi = async () => {
  // With steps of no time, a contract reaches its last status at once.
  const api = await openTestApi({ lender: layerSandboxLender({ stepMs: 0 }) })
  const clientSecret = "a secret of a test"
  const { client_id: clientId, partner_id } = await api.given(aClient().withSecret(clientSecret))
  const url = await api.listen()
  const sent: Array<string> = []
  /** Sends requests and records their method and path. */
  const recording = (target: URL, init: RequestInit) => {
    sent.push(`${init.method} ${target.pathname}`)
    return fetch(target, init)
  }
  const client = new LastroClient({ url, clientId, clientSecret, fetch: recording })
  return { api, client, clientId, clientSecret, partner_id, sent, url, [Symbol.asyncDispose]: () => api.close() }
}
