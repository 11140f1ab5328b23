import { type PartnerId } from "@lastro/domain/id"
import {
  type Dependents,
  DocumentTaken,
  type PartnerDetail,
  type PartnerFilters,
  type PartnerQuery,
  PartnerRepository,
  type PartnerSortField
} from "@lastro/domain/partner"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { sendAhead } from "../database/postgres/sendAhead.ts"
import { precompileStatement } from "../database/precompileStatement.ts"
import { locationOfItem, subtree, toFoundRecord } from "../hierarchy/subtree.ts"
import { type Listing } from "../paging/Listing.ts"
import { likePattern, listPages } from "../paging/listPages.ts"
import { insertPartner } from "./insertPartner.ts"
import {
  mutablePartnerValues,
  partnerColumns,
  partnerListColumns,
  partnerListItemOf,
  partnerOf,
  type PartnerRow
} from "./partnerRow.ts"

const listing: Listing<PartnerSortField> = {
  table: "partner",
  owner: "id",
  count: "partners",
  present: "item.deleted_at is null",
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

const toConditions = (sql: SqlClient.SqlClient, filters: PartnerFilters): ReadonlyArray<Fragment> => {
  const { document_number, email, name, parent_id, person_type, status } = filters
  return [
    ...(name === undefined ? [] : [sql`item.name_folded like ${likePattern(name)}`]),
    ...(email === undefined ? [] : [sql`item.email_folded like ${likePattern(email)}`]),
    ...(document_number === undefined ? [] : [sql`item.document_number like ${likePattern(document_number)}`]),
    ...(person_type === undefined ? [] : [sql`item.person_type = ${person_type}`]),
    ...(status === undefined ? [] : [sql`item.status = ${status}`]),
    ...(parent_id === undefined ? [] : [sql`item.parent_id = ${parent_id}`])
  ]
}

/** Partners in PostgreSQL. */
export const layer: Layer.Layer<PartnerRepository, never, SqlClient.SqlClient> = Layer.effect(
  PartnerRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = ({ id, top }: Readonly<Record<"id" | "top", unknown>>) =>
      sql<ScopedRow>`
        select ${sql.literal(partnerColumns)},
          ${subtree(sql, sql`${top}::uuid`).contains(locationOfItem(sql, "id"))} as inside
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
      list: (scope, query: PartnerQuery) => readPage(scope, query, toConditions(sql, query.filters)),
      insert: Effect.fn("PartnerRepository.insert")((parent, partner) => insert(partner, parent.record)),
      insertRoot: Effect.fn("PartnerRepository.insertRoot")((partner) => insert(partner.record, null)),
      update: Effect.fn("PartnerRepository.update")((before, after) =>
        orDie(sendAhead(
          sql`
            update partner set ${sql.update(mutablePartnerValues(after))}
            where id = ${before.record.partner_id} and deleted_at is null`
        ))
      ),
      remove: Effect.fn("PartnerRepository.remove")(({ record: { partner_id } }, at) =>
        orDie(sendAhead(sql`
          with removed as (
            update partner set deleted_at = ${at} where id = ${partner_id} and deleted_at is null returning id
          )
          insert into subtree_count_delta (partner_id, partners, users) select id, -1, 0 from removed`))
      ),
      dependents: Effect.fn("PartnerRepository.dependents")(({ record: { partner_id } }) =>
        Effect.map(
          orDie(sql<Dependents>`
            select
              (select count(*)::int from partner where parent_id = ${partner_id} and deleted_at is null) as children,
              (select count(*)::int from app_user where partner_id = ${partner_id} and deleted_at is null) as users,
              (select count(*)::int from application where partner_id = ${partner_id} and unfinished) as applications`),
          ([row]) => row ?? { children: 0, users: 0, applications: 0 }
        )
      )
    })
  })
)
