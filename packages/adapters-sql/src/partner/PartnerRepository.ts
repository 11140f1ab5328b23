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
import { sendAhead } from "../database/postgres/sendAhead.ts"
import { precompileStatement } from "../database/precompileStatement.ts"
import { locationOfItem, subtreeBelow, toFoundRecord } from "../hierarchy/subtree.ts"
import { type Listing, metadataFilter } from "../paging/Listing.ts"
import { listPages } from "../paging/listPages.ts"
import { insertPartner } from "./insertPartner.ts"
import {
  mutablePartnerValues,
  partnerColumns,
  partnerListColumns,
  partnerListItemOf,
  partnerOf,
  type PartnerRow
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

/** Stores partners in PostgreSQL. */
export const layer: Layer.Layer<PartnerRepository, never, SqlClient.SqlClient> = Layer.effect(
  PartnerRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = ({ id, top }: Readonly<Record<"id" | "top", unknown>>) =>
      sql<ScopedRow>`
        select ${sql.literal(partnerColumns)},
          ${subtreeBelow(sql, top).contains(locationOfItem(sql, "id"))} as inside
        from partner item where item.id = ${id} and item.deleted_at is null`
    const selectScoped = precompileStatement(sql, ["id", "top"], select)
    const selectForUpdate = precompileStatement(
      sql,
      ["id", "top"],
      (values) => sql<ScopedRow>`${select(values)} for no key update of item`
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
      insert: (parent, partner) => insert(partner, parent.record),
      insertRoot: (partner) => insert(partner.record, null),
      update: (before, after) =>
        orDie(sendAhead(
          sql`
            update partner set ${sql.update(mutablePartnerValues(after))}
            where id = ${before.record.partner_id} and deleted_at is null`
        )),
      remove: ({ record: { partner_id } }, at) =>
        orDie(sendAhead(sql`
          with removed as (
            update partner set deleted_at = ${at} where id = ${partner_id} and deleted_at is null returning id
          )
          insert into subtree_count_delta (partner_id, partners, users) select id, -1, 0 from removed`)),
      dependents: ({ record: { partner_id } }) =>
        Effect.map(
          orDie(sql<Dependents>`
            select
              (select count(*)::int from partner where parent_id = ${partner_id} and deleted_at is null) as children,
              (select count(*)::int from app_user where partner_id = ${partner_id} and deleted_at is null) as users,
              (select count(*)::int from application where partner_id = ${partner_id} and unfinished) as applications`),
          ([row]) => row ?? { children: 0, users: 0, applications: 0 }
        )
    })
  })
)
