import Fastify, { type FastifyError } from "fastify"
import { randomUUID } from "node:crypto"
import * as handlers from "./handlers.ts"
import { Refusal } from "./Refusal.ts"
import { healthSchema, partnerSchema, partnersPageSchema, statusSchema, usersPageSchema } from "./schemas.ts"
import { config, pool } from "./setUp.ts"

const app = Fastify({
  logger: { level: "info", base: null },
  disableRequestLogging: true,
  requestIdHeader: "x-request-id",
  requestIdLogLabel: "request_id",
  genReqId: () => randomUUID()
})

const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin"
}

const unlessPublic = { "cache-control": "private, no-cache", vary: "Authorization, Accept-Language" }

app.addHook("onRequest", (request, reply, done) => {
  reply.headers(always).header("x-request-id", request.id)
  if (request.url.startsWith("/api/")) reply.headers(unlessPublic)
  done()
})

app.addHook("onResponse", (request, reply, done) => {
  request.log.info({
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100
  }, "request")
  done()
})

app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
  const known = error instanceof Refusal ? error : new Refusal("INTERNAL_ERROR")
  if (known !== error) request.log.error({ name: error.name, code: error.code }, "request failed")
  const { code, details, headers, message, status } = known
  // A refusal before the list is read does not depend on `Accept`.
  if (status === 401 || status === 403) reply.headers(unlessPublic)
  return reply.code(status).headers(headers).header("content-language", "en").send({
    error: { code, message, request_id: request.id, details }
  })
})

app.get("/health/live", { schema: { response: { 200: healthSchema } } }, (_, reply) => {
  reply.header("cache-control", "no-store").send({ status: "ok" })
})
const { changePartner, listPartners, listProposals, listUsers, readPartner, readStatus } = handlers
app.get("/api/v1/partners/:id", { schema: { response: { 200: partnerSchema } } }, readPartner)
app.patch("/api/v1/partners/:id", { schema: { response: { 200: partnerSchema } } }, changePartner)
app.get("/api/v1/partners", { schema: { response: { 200: partnersPageSchema } } }, listPartners)
app.get("/api/v1/users", { schema: { response: { 200: usersPageSchema } } }, listUsers)
app.get("/api/v1/proposals", listProposals)
app.get("/api/v1/fgts/applications/:id/status", { schema: { response: { 200: statusSchema } } }, readStatus)

process.once("SIGTERM", () => void app.close().then(() => pool.end()))

await app.listen({ host: "127.0.0.1", port: config.port })
