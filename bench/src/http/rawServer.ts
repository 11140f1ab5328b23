import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { type Recorded } from "./Recorded.ts"

const recorded: ReadonlyArray<Recorded> = JSON.parse(process.env["RECORDED"] ?? "")

const byPath = new Map(recorded.map((one) => [one.path, one]))

/** The bare server. It answers with recorded responses, but with a new request id each time. */
const server = createServer(({ url = "" }, response) => {
  const found = byPath.get(url)
  if (found === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { ...found.headers, "x-request-id": randomUUID() })
  response.end(found.body)
})

process.once("SIGTERM", () => server.close())

server.listen(Number(process.env["PORT"]), "127.0.0.1")
