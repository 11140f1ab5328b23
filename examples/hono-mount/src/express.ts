import { type MountedNodeApi } from "@lastro/adapters-http/node"
import express from "express"
import { createServer } from "node:http"

/** Creates an Express server with its own page and the API under `/lending`. */
export const expressServer = ({ handle }: MountedNodeApi) => {
  const app = express()
  // Register body parsers after the API, because it reads bodies itself.
  app.use("/lending", handle)
  app.use(express.json())
  app.get("/", (_request, response) => {
    response.send("The shop's own page")
  })
  return createServer(app)
}
