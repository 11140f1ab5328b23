import { sealFound, type SubtreeScope } from "@lastro/domain/hierarchy"
import {
  DocumentTaken,
  type PartnerDetail,
  type PartnerListItem,
  type PartnerQuery,
  PartnerRepository,
  type PartnerSortField
} from "@lastro/domain/partner"
import { type PartnerId } from "@lastro/domain/values"
import { Effect, Layer, Option } from "effect"
import { Database } from "./Database.ts"
import { includesMetadata, type Listing, listPage, streamAll } from "./listPage.ts"
import { changingValues, partnerColumns, partnerListColumns, partnerListItemOf, partnerOf } from "./partnerRow.ts"
import { liesWithin } from "./scope.ts"
import { insert, update } from "./write.ts"

const listing: Listing<PartnerSortField, PartnerListItem> = {
  table: "partner",
  owner: "id",
  columns: partnerListColumns,
  read: partnerListItemOf,
  sorts: {
    created_at: "created_at",
    name: "name_folded",
    document_number: "document_number",
    email: "email_folded",
    status: "status"
  }
}

const rootOf = "select root_id from partner where id = ?"
const find = `select ${partnerColumns}, ${liesWithin("partner.id")} as inside
  from partner where id = ? and deleted_at is null`
const dependents = `select
  (select count(*) from partner where parent_id = :id and deleted_at is null) as children,
  (select count(*) from user where partner_id = :id and deleted_at is null) as users`

export const layer: Layer.Layer<PartnerRepository, never, Database> = Layer.effect(
  PartnerRepository,
  Effect.map(Database, ({ run }) => {
    const sealed = (scope: SubtreeScope, id: PartnerId) =>
      run((database) => {
        const row = database.prepare(find).get(scope.partner_id, id)
        return row === undefined ? Option.none() : Option.some(sealFound(partnerOf(row), row["inside"] === 1))
      })

    const add = (partner: PartnerDetail, parent: PartnerId | null) =>
      Effect.flatMap(
        run((database) => {
          const tree = parent === null ? undefined : database.prepare(rootOf).get(parent)
          return insert(database, "partner", {
            id: partner.partner_id,
            parent_id: parent,
            root_id: tree?.["root_id"] ?? partner.partner_id,
            person_type: partner.person_type,
            document_number: partner.document_number,
            created_at: partner.created_at,
            ...changingValues(partner)
          })
        }),
        (added) => added ? Effect.void : Effect.fail(new DocumentTaken())
      )

    const list = (scope: SubtreeScope, query: PartnerQuery, budget?: number) =>
      Effect.flatten(
        run((database) => {
          const { document_number, email, metadata, name, parent_id, person_type, status } = query.filters
          return listPage(database, listing, scope, query, [
            ["instr(name_folded, ?)", name],
            ["instr(email_folded, ?)", email],
            ["instr(document_number, ?)", document_number],
            ["person_type = ?", person_type],
            ["status = ?", status],
            ["parent_id = ?", parent_id],
            [includesMetadata("partner"), metadata && JSON.stringify(metadata)]
          ], budget)
        })
      )

    return PartnerRepository.of({
      find: sealed,
      // Transactions run one at a time, so no lock is necessary.
      findForUpdate: sealed,
      list,
      exportAll: streamAll(list),
      insert: (parent, partner) => add(partner, parent.record),
      insertRoot: ({ record }) => add(record, null),
      update: (before, after) =>
        Effect.asVoid(run((database) => update(database, "partner", before.record.partner_id, changingValues(after)))),
      remove: ({ record: { partner_id } }, at) =>
        Effect.asVoid(run((database) => update(database, "partner", partner_id, { deleted_at: at }))),
      dependents: ({ record: { partner_id } }) =>
        run((database) => {
          const row = database.prepare(dependents).get({ id: partner_id })
          // This database stores no applications, and so no commissions.
          const noLoans = { applications: 0, unpaid_commissions: 0, open_commissions: 0 }
          return { children: Number(row?.["children"]), users: Number(row?.["users"]), ...noLoans }
        })
    })
  })
)
