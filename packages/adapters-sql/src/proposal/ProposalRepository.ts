import {
  type ProposalFilters,
  type ProposalQuery,
  ProposalRepository,
  type ProposalSortField,
  type PublicProposalListItem
} from "@lastro/domain/proposal"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { applicationColumns, applicationOf, type ApplicationRow } from "../application/applicationRow.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileStatement } from "../database/precompileStatement.ts"
import { locationOf, subtree, toFoundRecord } from "../hierarchy/subtree.ts"
import { type Listing } from "../paging/Listing.ts"
import { likePattern, listPages } from "../paging/listPages.ts"

const listing: Listing<ProposalSortField> = {
  table: "proposal",
  owner: "partner_id",
  count: "proposals",
  present: "true",
  sorts: { created_at: "created_at", updated_at: "updated_at", status: "status", net_amount: "net_amount" },
  indexed: ["created_at", "updated_at", "status", "net_amount"],
  indexedInRegion: ["created_at"],
  columns: "item.list_item"
}

interface ListRow {
  readonly list_item: PublicProposalListItem
}

const toConditions = (sql: SqlClient.SqlClient, filters: ProposalFilters): ReadonlyArray<Fragment> => {
  const { cpf, created_from, created_to, customer_name, external_id, partner_id, status, updated_from, updated_to } =
    filters
  return [
    ...(cpf === undefined ? [] : [sql`item.cpf = ${cpf}`]),
    ...(customer_name === undefined ? [] : [sql`item.customer_folded like ${likePattern(customer_name)}`]),
    ...(external_id === undefined ? [] : [sql`item.external_id = ${external_id}`]),
    ...(status === undefined ? [] : [sql`item.status = ${status}`]),
    ...(partner_id === undefined ? [] : [sql`item.partner_id = ${partner_id}`]),
    ...(created_from === undefined ? [] : [sql`item.created_at >= ${created_from}`]),
    ...(created_to === undefined ? [] : [sql`item.created_at < ${created_to}`]),
    ...(updated_from === undefined ? [] : [sql`item.updated_at >= ${updated_from}`]),
    ...(updated_to === undefined ? [] : [sql`item.updated_at < ${updated_to}`])
  ]
}

/** Proposals in PostgreSQL. */
export const layer: Layer.Layer<ProposalRepository, never, SqlClient.SqlClient> = Layer.effect(
  ProposalRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const selectScoped = precompileStatement(
      sql,
      ["id", "top"],
      ({ id, top }) =>
        sql<ApplicationRow & { readonly inside: boolean }>`
        select ${sql.literal(applicationColumns)},
          ${subtree(sql, sql`${top}::uuid`).contains(locationOf(sql, sql.literal("item.partner_id")))} as inside
        from application item where item.id = (select application_id from proposal where id = ${id})`
    )

    const readPage = listPages(sql, listing, ({ list_item }: ListRow) => list_item)

    return ProposalRepository.of({
      find: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectScoped({ top, id })), (rows) => toFoundRecord(rows, applicationOf)),
      list: (scope, query: ProposalQuery) => readPage(scope, query, toConditions(sql, query.filters))
    })
  })
)
