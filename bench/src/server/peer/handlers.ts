import { type FastifyReply, type FastifyRequest } from "fastify"
import { getStatus } from "./applicationStatus.ts"
import { groups } from "./callers.ts"
import { entityTag, isKnown } from "./entityTag.ts"
import { partners, proposals, users } from "./listings.ts"
import { readPage } from "./lists.ts"
import { pageEnd, type Query } from "./pages.ts"
import { getPartner } from "./partners.ts"
import { patchPartner } from "./patchPartner.ts"
import { tokenOf } from "./tokens.ts"

/** A request for the record whose id is in its path. */
export type ById = FastifyRequest<{ readonly Params: { readonly id: string } }>
type Listed = FastifyRequest<{ readonly Querystring: Query }>

/** Sends a record with its `ETag`, or 304 if the caller already has the record. */
const sendTagged = (request: ById, reply: FastifyReply, record: object, body: object) => {
  const tag = entityTag(record)
  reply.header("etag", tag)
  return request.method === "GET" && isKnown(request.headers["if-none-match"], tag)
    ? reply.code(304).send()
    : reply.send(body)
}

interface WithMetadata {
  metadata?: object | undefined
}

/** Removes the field `metadata` from a body if it is empty. */
const withoutEmpty = <Body extends WithMetadata>(body: Body): Body => {
  if (Object.keys(body.metadata ?? {}).length === 0) body.metadata = undefined
  return body
}

export const readPartner = async (request: ById, reply: FastifyReply) => {
  const partner = await getPartner(await tokenOf(request.headers.authorization), request.params.id)
  return sendTagged(request, reply, partner, { data: withoutEmpty({ ...partner }) })
}

export const changePartner = async (request: ById, reply: FastifyReply) => {
  const partner = await patchPartner(await tokenOf(request.headers.authorization), request)
  return sendTagged(request, reply, partner, { data: withoutEmpty({ ...partner }) })
}

/** Reads the token of a list. Lists are also available as CSV, so their responses depend on `Accept`. */
const tokenOfList = async (request: Listed, reply: FastifyReply) => {
  const token = await tokenOf(request.headers.authorization)
  reply.header("vary", "Authorization, Accept, Accept-Language")
  return token
}

export const listPartners = async (request: Listed, reply: FastifyReply) => {
  const token = await tokenOfList(request, reply)
  const { page, rows, total } = await readPage<object>(partners, token, request.query)
  return { content: rows, ...pageEnd(page, total) }
}

interface UserRow {
  readonly group_id: string
  group?: object | undefined
}

export const listUsers = async (request: Listed, reply: FastifyReply) => {
  const token = await tokenOfList(request, reply)
  const { page, rows, total } = await readPage<UserRow>(users, token, request.query)
  for (const row of rows) row.group = groups.get(row.group_id)?.shown
  return { content: rows, ...pageEnd(page, total) }
}

/** Lists proposals. Sends their stored texts unchanged. */
export const listProposals = async (request: Listed, reply: FastifyReply) => {
  const token = await tokenOfList(request, reply)
  const { page, rows, total } = await readPage<{ item: string }>(proposals, token, request.query)
  const end = JSON.stringify(pageEnd(page, total))
  reply.type("application/json")
  return `{"content":[${rows.map(({ item }) => item).join(",")}],${end.slice(1)}`
}

export const readStatus = async (request: ById, reply: FastifyReply) => {
  const status = await getStatus(await tokenOf(request.headers.authorization), request.params.id)
  if (status.next_action === "WAIT") reply.header("retry-after", "1")
  return sendTagged(request, reply, { ...status, signature_url: null }, status)
}
