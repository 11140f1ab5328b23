import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from "fastify"
import { randomUUID } from "node:crypto"
import { getStatus } from "./applicationStatus.ts"
import { groups } from "./callers.ts"
import { config } from "./config.ts"
import { pool } from "./database.ts"
import { entityTag, isKnown } from "./entityTag.ts"
import { partners, proposals, users } from "./listings.ts"
import { readPage } from "./lists.ts"
import { pageEnd, type Query } from "./pages.ts"
import { getPartner } from "./partners.ts"
import { patchPartner } from "./patchPartner.ts"
import { Refusal } from "./Refusal.ts"
import { healthSchema, partnerSchema, partnersPageSchema, statusSchema, usersPageSchema } from "./schemas.ts"
import { tokenOf } from "./tokens.ts"

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

/** Sends a record with its tag, or 304 if the caller has it already. */
const sendTagged = (request: FastifyRequest, reply: FastifyReply, record: object, body: object) => {
  const tag = entityTag(record)
  reply.header("etag", tag)
  return request.method === "GET" && isKnown(request.headers["if-none-match"], tag)
    ? reply.code(304).send()
    : reply.send(body)
}

interface ById {
  readonly Params: { readonly id: string }
}

interface Listed {
  readonly Querystring: Query
}

app.get("/health/live", { schema: { response: { 200: healthSchema } } }, (_, reply) => {
  reply.header("cache-control", "no-store").send({ status: "ok" })
})

app.get<ById>("/api/v1/partners/:id", { schema: { response: { 200: partnerSchema } } }, async (request, reply) => {
  const partner = await getPartner(await tokenOf(request.headers.authorization), request.params.id)
  return sendTagged(request, reply, partner, { data: partner })
})

app.patch<ById>("/api/v1/partners/:id", { schema: { response: { 200: partnerSchema } } }, async (request, reply) => {
  const token = await tokenOf(request.headers.authorization)
  const partner = await patchPartner(token, {
    id: request.params.id,
    body: request.body,
    ifMatch: request.headers["if-match"],
    request_id: request.id
  })
  return sendTagged(request, reply, partner, { data: partner })
})

app.get<Listed>("/api/v1/partners", { schema: { response: { 200: partnersPageSchema } } }, async (request) => {
  const found = await readPage(partners, await tokenOf(request.headers.authorization), request.query)
  return { content: found.rows, ...pageEnd(found.page, found.total) }
})

app.get<Listed>("/api/v1/users", { schema: { response: { 200: usersPageSchema } } }, async (request) => {
  const token = await tokenOf(request.headers.authorization)
  const { page, rows, total } = await readPage<{ group_id: string; group?: object | undefined }>(
    users,
    token,
    request.query
  )
  for (const row of rows) row.group = groups.get(row.group_id)?.shown
  return { content: rows, ...pageEnd(page, total) }
})

app.get<Listed>("/api/v1/proposals", async (request, reply) => {
  const token = await tokenOf(request.headers.authorization)
  const { page, rows, total } = await readPage<{ item: string }>(proposals, token, request.query)
  const end = JSON.stringify(pageEnd(page, total))
  reply.type("application/json")
  return `{"content":[${rows.map(({ item }) => item).join(",")}],${end.slice(1)}`
})

app.get<ById>(
  "/api/v1/fgts/applications/:id/status",
  { schema: { response: { 200: statusSchema } } },
  async (request, reply) => {
    const status = await getStatus(await tokenOf(request.headers.authorization), request.params.id)
    if (status.next_action === "WAIT") reply.header("retry-after", "1")
    return sendTagged(request, reply, status, status)
  }
)

process.once("SIGTERM", () => void app.close().then(() => pool.end()))

await app.listen({ host: "127.0.0.1", port: config.port })
