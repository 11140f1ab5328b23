import { createServer } from "node:http"

/** The least that `node` can be as a server: one answer to everything. */
const server = createServer((_, response) => {
  response.setHeader("content-type", "application/json").end("{}")
}).listen(Number(process.env["PORT"]), "127.0.0.1")

process.once("SIGTERM", () => server.close())
