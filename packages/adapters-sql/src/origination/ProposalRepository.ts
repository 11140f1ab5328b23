import {
  type ProposalFilters,
  proposalNullsLast,
  type ProposalQuery,
  ProposalRepository,
  type ProposalSortField
} from "@lastro/domain/origination"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { locationOf, subtreeBelow, toFoundRecord } from "../hierarchy/subtree.ts"
import { exportListing } from "../paging/exportRows.ts"
import { type Listing } from "../paging/Listing.ts"
import { listPages } from "../paging/listPages.ts"
import {
  applicationColumns,
  applicationOf,
  type ApplicationRow,
  listItemOf,
  type StoredListItem,
  type UnlistedFacts
} from "./applicationRow.ts"

const listing: Listing<ProposalSortField, ProposalFilters> = {
  table: "proposal",
  owner: "partner_id",
  count: "proposals",
  present: "true",
  filters: {
    cpf: { column: "cpf", match: "equals", type: "text", index: "records" },
    customer_name: { column: "customer_folded", match: "contains", type: "text" },
    external_id: { column: "external_id", match: "oneOf", type: "text", index: "records" },
    status: { column: "status", match: "oneOf", type: "text" },
    number: { column: "number", match: "equals", type: "text", index: "records" },
    created_by: { column: "created_by", match: "equals", type: "text", index: "records" },
    partner_id: { column: "partner_id", match: "equals", type: "uuid", index: "records" },
    created_from: { column: "created_at", match: "from", type: "timestamptz", index: "tree" },
    created_to: { column: "created_at", match: "before", type: "timestamptz", index: "tree" },
    updated_from: { column: "updated_at", match: "from", type: "timestamptz", index: "tree" },
    updated_to: { column: "updated_at", match: "before", type: "timestamptz", index: "tree" },
    paid_from: { column: "paid_at", match: "from", type: "timestamptz", index: "tree" },
    paid_to: { column: "paid_at", match: "before", type: "timestamptz", index: "tree" },
    table: { column: "table_code", match: "equals", type: "text" },
    lender: { column: "lender", match: "equals", type: "text" }
  },
  sorts: {
    created_at: "created_at",
    updated_at: "updated_at",
    status: "status",
    net_amount: "net_amount",
    paid_at: "paid_at"
  },
  nullsLast: proposalNullsLast,
  indexed: ["created_at", "updated_at", "status", "net_amount", "paid_at"],
  indexedInRegion: ["created_at"],
  columns: "item.list_item, case when (item.list_item -> 'table') is null then json_build_object(" +
    "'proposal', item.facts, 'quotes', (" +
    "select json_agg(facts order by quote.number) from quote where quote.application_id = item.application_id" +
    ")) end as unlisted"
}

interface ListRow {
  readonly list_item: StoredListItem
  readonly unlisted: UnlistedFacts | null
}

const itemOf = ({ list_item, unlisted }: ListRow) => listItemOf(list_item, unlisted)

export const layer: Layer.Layer<ProposalRepository, never, SqlClient.SqlClient> = Layer.effect(
  ProposalRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const selectScoped = precompileRead(
      sql,
      { id: "uuid", top: "uuid" },
      ({ id, top }) =>
        sql<ApplicationRow & { readonly inside: boolean }>`
        select ${sql.literal(applicationColumns)},
          ${subtreeBelow(sql, top).contains(locationOf(sql, sql.literal("item.partner_id")))} as inside
        from application item where item.id = (select application_id from proposal where id = ${id})`
    )

    const readPage = listPages(sql, listing, itemOf)

    return ProposalRepository.of({
      find: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectScoped({ top, id })), (rows) => toFoundRecord(rows, applicationOf)),
      list: (scope, query: ProposalQuery, budget) => readPage(scope, query, budget),
      exportAll: exportListing(sql, listing, itemOf)
    })
  })
)
