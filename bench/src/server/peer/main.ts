import Fastify, { type FastifyError } from "fastify"
import { randomUUID } from "node:crypto"
import { config } from "./config.ts"
import { pool } from "./database.ts"
import {
  type ById,
  changePartner,
  type Listed,
  listPartners,
  listProposals,
  listUsers,
  readPartner,
  readStatus
} from "./handlers.ts"
import { Refusal } from "./Refusal.ts"
import { healthSchema, partnerSchema, partnersPageSchema, statusSchema, usersPageSchema } from "./schemas.ts"

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
  return reply.code(status).headers(headers).header("content-language", "en").send({
    error: { code, message, request_id: request.id, details }
  })
})

app.get("/health/live", { schema: { response: { 200: healthSchema } } }, (_, reply) => {
  reply.header("cache-control", "no-store").send({ status: "ok" })
})
app.get<ById>("/api/v1/partners/:id", { schema: { response: { 200: partnerSchema } } }, readPartner)
app.patch<ById>("/api/v1/partners/:id", { schema: { response: { 200: partnerSchema } } }, changePartner)
app.get<Listed>("/api/v1/partners", { schema: { response: { 200: partnersPageSchema } } }, listPartners)
app.get<Listed>("/api/v1/users", { schema: { response: { 200: usersPageSchema } } }, listUsers)
app.get<Listed>("/api/v1/proposals", listProposals)
app.get<ById>("/api/v1/fgts/applications/:id/status", { schema: { response: { 200: statusSchema } } }, readStatus)

process.once("SIGTERM", () => void app.close().then(() => pool.end()))

await app.listen({ host: "127.0.0.1", port: config.port })
