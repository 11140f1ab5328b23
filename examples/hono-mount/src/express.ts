import { type MountedNodeApi } from "@lastro/adapters-http/node"
import express from "express"
import { createServer } from "node:http"

/** The same in Express. */
export const expressServer = ({ handle }: MountedNodeApi) => {
  const app = express()
  // The API reads the bodies of its requests itself: parsers come after it.
  app.use("/lending", handle)
  app.use(express.json())
  app.get("/", (_request, response) => {
    response.send("The shop's own page")
  })
  return createServer(app)
}
