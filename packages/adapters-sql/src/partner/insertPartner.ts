import { type PartnerDetail } from "@lastro/domain/partner"
import { type PartnerId } from "@lastro/domain/values"
import { type SqlClient } from "effect/sql"
import { rootAndRegion } from "../hierarchy/subtree.ts"
import { partnerValues } from "./partnerRow.ts"

/**
 * Inserts a partner below `parent`, or as a root, and adds its rows to the hierarchy index and the counts. Returns one
 * row, or no row if the document number is taken in the same tree. A child joins its parent's region, so each ancestor
 * that lists the parent individually also lists the child. A root is the top of a new region.
 */
export const insertPartner = (sql: SqlClient.SqlClient, partner: PartnerDetail, parent: PartnerId | null) => {
  const id = partner.partner_id
  const values = partnerValues(partner)
  return sql<{ readonly id: PartnerId }>`
    with added as (
      insert into partner (
        id, parent_id, root_id, region_id, person_type, status, name, name_folded, email, email_folded, phone,
        document_number, pix, address, bank_account, metadata,
        created_at
      )
      values (
        ${id}, ${parent}, ${parent === null ? sql`${id}, ${id}` : rootAndRegion(sql, parent)}, ${values.person_type},
        ${values.status}, ${values.name}, ${values.name_folded}, ${values.email}, ${values.email_folded},
        ${values.phone}, ${values.document_number}, ${values.pix}, ${values.address}, ${values.bank_account},
        ${values.metadata}, ${values.created_at}
      )
      on conflict (root_id, document_number) where deleted_at is null do nothing
      returning id
    ),
    placed as (
      insert into subtree_partner (top_id, partner_id)
      select above.top_id, added.id from added join subtree_partner above on above.partner_id = ${parent}
      union all
      select id, id from added where ${parent !== null}
    ),
    placed_whole as (
      insert into subtree_region (top_id, region_id) select id, id from added where ${parent === null}
    ),
    counted as (
      insert into subtree_count (partner_id, partners, users) select id, 0, 0 from added
    ),
    changed as (
      insert into subtree_count_delta (partner_id, partners, users) select id, 1, 0 from added
    )
    select id from added`
}
