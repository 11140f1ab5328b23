import { type PoolClient } from "pg"
import { callerColumns, run, type Statement, statement } from "./callers.ts"
import { Refusal } from "./Refusal.ts"
import { isUuid, type Token } from "./tokens.ts"

/** A partner in the form of the API. */
export interface Partner {
  readonly partner_id: string
  readonly name: string
  readonly status: string
  readonly email: string
  readonly phone: string
  readonly pix: Readonly<Record<string, unknown>> | null
  readonly address: Readonly<Record<string, unknown>> | null
  readonly document_number: string
  readonly person_type: string
  readonly created_at: string
  readonly parent_id: string | null
  readonly bank_account: Readonly<Record<string, unknown>> | null
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

type Row = Omit<Partner, "partner_id"> & { readonly partner_id: string | null; readonly inside: boolean }

/** Makes a statement that selects the caller and the partner. `$4` is the id of the partner. */
const selectPartner = (name: string, lock: string): Statement =>
  statement(
    name,
    `, found as ${lock === "" ? "" : "materialized"} (
      select item.* from partner item where item.id = $4 and item.deleted_at is null ${lock}
    )
    select ${callerColumns}, item.id as partner_id, item.name, item.status, item.email, item.phone, item.pix,
      item.address, item.document_number, item.person_type, item.created_at, item.parent_id, item.bank_account,
      item.metadata,
      exists (select from subtree_region part where part.top_id = $2 and part.region_id = item.region_id)
        or exists (select from subtree_partner part where part.top_id = $2 and part.partner_id = item.id) as inside
    from caller left join found item on true`
  )

const reading = selectPartner("partner", "")
const locking = selectPartner("partner to update", "for no key update")

/** Reads a partner. With the client of a transaction, also locks it for a change. */
export const getPartner = async (token: Token, id: string, client?: PoolClient): Promise<Partner> => {
  const [prepared, permission] = client === undefined ? [reading, "partners:read"] : [locking, "partners:write"]
  const [row] = await run<Row>(prepared, token, permission, [isUuid(id) ? id : null], client)
  if (row === undefined || row.partner_id === null) throw new Refusal("NOT_FOUND")
  if (!row.inside) throw new Refusal("OUTSIDE_HIERARCHY")
  return {
    partner_id: row.partner_id,
    name: row.name,
    status: row.status,
    email: row.email,
    phone: row.phone,
    pix: row.pix,
    address: row.address,
    document_number: row.document_number,
    person_type: row.person_type,
    created_at: row.created_at,
    parent_id: row.parent_id,
    bank_account: row.bank_account,
    metadata: row.metadata
  }
}
