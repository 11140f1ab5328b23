import { createAdaptorServer } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { type MountedApi } from "@lastro/adapters-http"
import { Hono } from "hono"

/** A Hono application with a route of its own, and the API below `/lending`. */
export const honoServer = ({ fetch }: MountedApi) => {
  const app = new Hono()
  app.get("/", (context) => context.text("The shop's own page"))
  // Who connects is what sign-ins are limited by.
  app.all("/lending/*", (context) => fetch(context.req.raw, { remote_address: getConnInfo(context).remote.address }))
  return createAdaptorServer({ fetch: app.fetch })
}
