import { createAdaptorServer } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { type MountedApi } from "@lastro/adapters-http"
import { Hono } from "hono"

/** Creates a Hono server with its own page and the API under `/lending`. */
export const honoServer = ({ fetch }: MountedApi) => {
  const app = new Hono()
  app.get("/", (context) => context.text("The shop's own page"))
  // The API counts failed sign-ins by this address.
  app.all("/lending/*", (context) => fetch(context.req.raw, { remote_address: getConnInfo(context).remote.address }))
  return createAdaptorServer({ fetch: app.fetch })
}
