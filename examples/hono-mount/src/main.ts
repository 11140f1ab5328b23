import { expressServer } from "./express.ts"
import { honoServer } from "./hono.ts"
import { openLending } from "./lastro.ts"

const port = 3002
const lending = await openLending(`http://127.0.0.1:${port}/lending`)
const server = process.argv[2] === "express" ? expressServer(lending.api) : honoServer(lending.api)

server.listen(port, "127.0.0.1", () => {
  console.log(
    `The API is at http://127.0.0.1:${port}/lending, its documentation at http://127.0.0.1:${port}/lending/docs`
  )
  console.log("Credentials of an API client, valid until this process ends:", lending.credentials)
})

const stop = () => {
  // Wait for the requests in progress, then close the connections.
  lending.close().then(() => server.close())
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
