import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { createLocalJWKSet, jwtVerify } from "jose"
import { randomUUID } from "node:crypto"
import { Pool } from "pg"
import { type PeerConfig } from "./PeerConfig.ts"
import { type Statement } from "./statements.ts"
import { usersPageSchema } from "./usersPageSchema.ts"

const config: PeerConfig = JSON.parse(process.env["PEER"] ?? "")

const keys = createLocalJWKSet(config.keys)
const groups = new Map(config.groups.map((group) => [group.group_id as string, group]))

const pool = new Pool({
  connectionString: config.database,
  max: config.connections,
  options: "-c jit=off -c max_parallel_workers_per_gather=0",
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000
})

type Given = Readonly<Record<"subject" | "partner" | "offset", string | number>>

/** Runs a prepared statement. */
const query = (name: string, { slots, text }: Statement, given: Partial<Given>) =>
  pool.query({ name, text, values: slots.map((slot) => typeof slot === "string" ? given[slot] : slot.always) })

interface Caller {
  readonly partner_id: string
  readonly permissions: ReadonlySet<string>
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

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
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-cache",
  vary: "Authorization, Accept-Language"
}

app.decorateRequest("caller", undefined)

app.addHook("onRequest", async (request, reply) => {
  reply.headers(always).header("x-request-id", request.id)
})

app.addHook("onResponse", async (request, reply) => {
  request.log.info({
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100
  }, "request")
})

const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, code: string) =>
  reply.code(status).send({ error: { code, message: code, request_id: request.id, details: [] } })

/** Checks that the token and its claims about the user are still valid. */
const resolve = async (authorization: string | undefined): Promise<Caller | undefined> => {
  if (authorization?.slice(0, 7).toLowerCase() !== "bearer ") return undefined
  const verified = await jwtVerify(authorization.slice(7), keys, {
    algorithms: ["ES256"],
    typ: "at+jwt",
    issuer: config.issuer,
    audience: config.issuer,
    clockTolerance: 60
  }).catch(() => undefined)
  if (verified === undefined) return undefined
  const { payload: claims } = verified
  const { rows: [user] } = await query("principal", config.statements.principal, { subject: claims.sub ?? "" })
  const group = user === undefined ? undefined : groups.get(user.group_id)
  if (
    group === undefined || !user.active || !user.partners_active || user.must_change_password ||
    user.partner_id !== claims["partner_snapshot_uuid"] || user.credentials_version !== claims["credentials_version"]
  ) return undefined
  const scope = new Set(String(claims["scope"]).split(" "))
  return { partner_id: user.partner_id, permissions: new Set(group.permissions.filter((one) => scope.has(one))) }
}

app.addHook("preValidation", async (request, reply) => {
  request.caller = await resolve(request.headers.authorization)
  if (request.caller === undefined) return refuse(request, reply, 401, "UNAUTHENTICATED")
  if (!request.caller.permissions.has("users:read")) return refuse(request, reply, 403, "PERMISSION_DENIED")
})

interface PageRoute {
  readonly Querystring: { readonly page: number }
}

const usersPage = async (request: FastifyRequest<PageRoute>) => {
  const { page: number } = request.query
  const { rows } = await query("page", config.statements.page, {
    partner: request.caller?.partner_id ?? "",
    offset: number * 20
  })
  const total = Number(rows[0]?.total ?? 0)
  const content = rows.filter(({ present }) => present)
  for (const row of content) row.group = groups.get(row.group_id)
  return {
    content,
    page: { number, size: 20, total_elements: total, total_pages: Math.ceil(total / 20) },
    sort: [{ property: "created_at", direction: "desc" }]
  }
}

app.route<PageRoute>({
  method: "GET",
  url: "/api/v1/users",
  schema: {
    querystring: { type: "object", properties: { page: { type: "integer", minimum: 0, default: 0 } } },
    response: { 200: usersPageSchema }
  },
  handler: usersPage
})

process.once("SIGTERM", () => void app.close().then(() => pool.end()))

await app.listen({ host: "127.0.0.1", port: config.port })
