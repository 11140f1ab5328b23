import { randomBytes } from "node:crypto"
import { isExpected } from "./entityTag.ts"
import type { ById } from "./handlers.ts"
import { fold } from "./listings.ts"
import { isRecord, type Json, patched } from "./partnerPatch.ts"
import { getPartner, type Partner } from "./partners.ts"
import { Refusal } from "./Refusal.ts"
import { pool } from "./setUp.ts"
import { type Token } from "./tokens.ts"

/** The names of fields with personal data. */
const personal = new Set(
  ("name email phone agency agency_digit account_number account_digit zipcode city district neighborhood street " +
    "complement birth_date").split(" ")
)

/** The names of fields whose texts are hidden completely. */
const hidden = new Set(["cpf", "document_number", "number", "key", "uf"])

const maskText = (name: string, text: string): string => {
  if (hidden.has(name)) return "***"
  const characters = Array.from(text)
  return characters.length < 6 ? "***" : `${characters[0]}***${characters.at(-1)}`
}

export const mask = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(mask)
  return !isRecord(value)
    ? value
    : Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        typeof inner === "string" && (personal.has(key) || hidden.has(key)) ? maskText(key, inner) : mask(inner)
      ])
    )
}

/** Lists the paths of the fields that differ between two records. */
export const changedFields = (before: Json, after: Json): ReadonlyArray<string> =>
  Object.keys(after).flatMap((name) => {
    const [old, changed] = [before[name], after[name]]
    if (old === changed) return []
    if (!isRecord(old) || !isRecord(changed)) return JSON.stringify(old) === JSON.stringify(changed) ? [] : [name]
    return changedFields(old, changed).map((path) => `${name}.${path}`)
  })

/** Generates a UUID version 7 (RFC 9562). */
export const uuidv7 = (): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const toJson = (value: unknown): string | null => value === null ? null : JSON.stringify(value)

/**
 * Returns the statements that begin a transaction and acquire the lock of the caller's tree, in one round trip. Two
 * statements in one query cannot have parameters, so the text contains `partner_id`. This is safe, because it is a
 * UUID.
 */
const begin = ({ partner_id }: Token): string =>
  `begin; select pg_advisory_xact_lock_shared(hashtextextended(root_id::text, 1)) from partner where id = '${partner_id}'`

const write = {
  name: "update partner",
  text: `
    with changed as (
      update partner set name = $2, name_folded = $3, email = $4, email_folded = $5, phone = $6, pix = $7, address = $8,
        bank_account = $9
      where id = $1 and deleted_at is null
    )
    insert into audit (id, at, actor, action, subject_id, partner_id, before, after, changed, request_id)
    values ($10, $11, $12, 'partner.update', $1::text, $1::uuid, $13, $14, $15, $16)`
}

const valuesOf = (before: Partner, after: Partner, { subject }: Token, request_id: string) => [
  after.partner_id,
  after.name,
  fold(after.name),
  after.email,
  fold(after.email),
  after.phone,
  toJson(after.pix),
  toJson(after.address),
  toJson(after.bank_account),
  uuidv7(),
  new Date(),
  subject,
  toJson(mask(before)),
  toJson(mask(after)),
  changedFields({ ...before }, { ...after }),
  request_id
]

/** Changes a partner in four round trips. */
export const patchPartner = async (token: Token, request: ById): Promise<Partner> => {
  const { body, headers: { "if-match": ifMatch }, id: request_id, params: { id } } = request
  const client = await pool.connect()
  try {
    await client.query(begin(token))
    const before = await getPartner(token, id, client)
    if (!isExpected(ifMatch, before)) throw new Refusal("PRECONDITION_FAILED")
    const after = patched(before, body)
    const values = valuesOf(before, after, token, request_id)
    if (changedFields({ ...before }, { ...after }).length > 0) await client.query({ ...write, values })
    await client.query("commit")
    client.release()
    return after
  } catch (error) {
    await client.query("rollback").then(() => client.release(), (lost: Error) => client.release(lost))
    throw error
  }
}
