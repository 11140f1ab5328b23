import { createServer } from "node:http"

/** The smallest possible Node.js server. It sends the same response to every request. */
const server = createServer((_, response) => {
  response.setHeader("content-type", "application/json").end("{}")
}).listen(Number(process.env["PORT"]), "127.0.0.1")

process.once("SIGTERM", () => server.close())
