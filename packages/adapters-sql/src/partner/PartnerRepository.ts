import {
  type Dependents,
  DocumentTaken,
  type PartnerDetail,
  type PartnerFilters,
  type PartnerQuery,
  PartnerRepository,
  type PartnerSortField
} from "@lastro/domain/partner"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { precompileStatement, sendAhead } from "../database/postgres/statements.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { locationOfItem, rootAndRegion, subtreeBelow, toFoundRecord } from "../hierarchy/subtree.ts"
import { endRequotes } from "../origination/places.ts"
import { exportListing } from "../paging/exportRows.ts"
import { type Listing, metadataFilter } from "../paging/Listing.ts"
import { listPages } from "../paging/listPages.ts"
import {
  mutablePartnerColumns,
  mutablePartnerValues,
  partnerColumns,
  partnerListColumns,
  partnerListItemOf,
  partnerOf,
  type PartnerRow,
  partnerValues
} from "./partnerRow.ts"

const listing: Listing<PartnerSortField, PartnerFilters> = {
  table: "partner",
  owner: "id",
  count: "partners",
  present: "item.deleted_at is null",
  filters: {
    name: { column: "name_folded", match: "contains", type: "text" },
    email: { column: "email_folded", match: "contains", type: "text" },
    document_number: { column: "document_number", match: "contains", type: "text" },
    person_type: { column: "person_type", match: "equals", type: "text" },
    status: { column: "status", match: "equals", type: "text" },
    parent_id: { column: "parent_id", match: "equals", type: "uuid", index: "records" },
    metadata: metadataFilter
  },
  sorts: {
    created_at: "created_at",
    name: "name_folded",
    document_number: "document_number",
    email: "email_folded",
    status: "status"
  },
  indexed: ["created_at", "name", "document_number", "email"],
  indexedInRegion: ["created_at"],
  columns: partnerListColumns
}

type ScopedRow = PartnerRow & { readonly inside: boolean }

/**
 * Inserts a partner below `parent`, or as a root, with its rows in the hierarchy index and the counts. Returns one row,
 * or none if the document number is taken in the same tree. A child joins the region of its parent, so each ancestor
 * that lists the parent individually also lists the child. A root is the top of a new region.
 */
const insertPartner = (sql: SqlClient.SqlClient, partner: PartnerDetail, parent: PartnerId | null) => {
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

export const layer: Layer.Layer<PartnerRepository, never, SqlClient.SqlClient> = Layer.effect(
  PartnerRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = ({ id, top }: Readonly<Record<"id" | "top", unknown>>) =>
      sql<ScopedRow>`
        select ${sql.literal(partnerColumns)},
          ${subtreeBelow(sql, top).contains(locationOfItem(sql, "id"))} as inside
        from partner item where item.id = ${id} and item.deleted_at is null`
    const selectScoped = precompileRead(sql, { id: "uuid", top: "uuid" }, select)
    const selectForUpdate = precompileStatement(
      sql,
      ["id", "top"],
      (values) => sql<ScopedRow>`${select(values)} for no key update of item`
    )

    const update = precompileStatement(
      sql,
      ["id", ...mutablePartnerColumns],
      ({ id, ...values }) => sql`update partner set ${sql.update(values)} where id = ${id} and deleted_at is null`
    )

    const insert = (partner: PartnerDetail, parent: PartnerId | null) =>
      Effect.gen(function*() {
        const rows = yield* orDie(insertPartner(sql, partner, parent))
        if (rows.length === 0) return yield* new DocumentTaken()
      })

    const readPage = listPages(sql, listing, partnerListItemOf)

    return PartnerRepository.of({
      find: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectScoped({ top, id })), (rows) => toFoundRecord(rows, partnerOf)),
      findForUpdate: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectForUpdate({ top, id })), (rows) => toFoundRecord(rows, partnerOf)),
      list: (scope, query: PartnerQuery, budget) => readPage(scope, query, budget),
      exportAll: exportListing(sql, listing, partnerListItemOf),
      insert: (parent, partner) => insert(partner, parent.record),
      insertRoot: (partner) => insert(partner.record, null),
      update: (before, after) =>
        orDie(sendAhead(update({ id: before.record.partner_id, ...mutablePartnerValues(after) }))),
      remove: ({ record: { partner_id } }, at) =>
        orDie(sendAhead(sql`
          with removed as (
            update partner set deleted_at = ${at} where id = ${partner_id} and deleted_at is null returning id
          ),
          unquotable as (${endRequotes(sql, sql`partner_id in (select id from removed)`)})
          insert into subtree_count_delta (partner_id, partners, users) select id, -1, 0 from removed`)),
      dependents: ({ record: { partner_id } }) =>
        Effect.map(
          orDie(sql<Dependents>`
            select
              (select count(*)::int from partner where parent_id = ${partner_id} and deleted_at is null) as children,
              (select count(*)::int from app_user where partner_id = ${partner_id} and deleted_at is null) as users,
              (select count(*)::int from application where partner_id = ${partner_id} and unfinished) as applications,
              (
                select coalesce(sum(amount), 0)::double precision from commission_entry
                where partner_id = ${partner_id} and status <> 'PAID'
              ) as unpaid_commissions,
              (
                select count(*)::int from commission_contract
                where partners @> array[${partner_id}::uuid] and status = 'ACCEPTED'
              ) + (
                select count(*)::int from proposal
                where commission_partners is not null and commission_partners @> array[${partner_id}::uuid]
                  and status in ('SUBMITTING', 'CORRECTION_NEEDED', 'AWAITING_SIGNATURE', 'GUARANTEE_PENDING',
                    'DISBURSING', 'DISBURSEMENT_FAILED', 'CANCELLING', 'REFUND_PENDING')
              ) as open_commissions`),
          ([row]) => row ?? { children: 0, users: 0, applications: 0, unpaid_commissions: 0, open_commissions: 0 }
        )
    })
  })
)

/** Maximum number of roots that `readRoots` returns. */
const mostRoots = 100

/** Reads the ids of the oldest root partners, at most 100. For the operator only. */
export const readRoots = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: PartnerId }>`
    select id from partner where parent_id is null and deleted_at is null order by created_at, id limit ${mostRoots}`
  return rows.map(({ id }) => id)
}).pipe(withoutTransforms)
