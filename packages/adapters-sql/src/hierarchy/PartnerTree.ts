import { type Busy, type PartnerPlace, PartnerTree } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { Array as Arr, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mapTransientToBusy, orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { precompileStatement, sendAhead } from "../database/postgres/statements.ts"
import { movePartner } from "./movePartner.ts"
import { areAncestorsActive, locationOf, locationOfItem, subtreeBelow, subtreeOf, toFoundRecord } from "./subtree.ts"

/**
 * Stores partner trees. The column `parent_id` is the source of truth. The hierarchy index, the tables `subtree_region`
 * and `subtree_partner`, is derived from it. Each tree has an advisory lock.
 */
export const layer: Layer.Layer<PartnerTree, never, SqlClient.SqlClient> = Layer.effect(
  PartnerTree,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const lock = {
      shared: precompileStatement(sql, ["root"], ({ root }) => locks(sql).shared("tree", root)),
      exclusive: precompileStatement(sql, ["root"], ({ root }) => locks(sql).exclusive("tree", root))
    }
    const selectScoped = precompileRead(
      sql,
      { id: "uuid", top: "uuid" },
      ({ id, top }) =>
        sql<{ readonly id: PartnerId; readonly inside: boolean }>`
        select item.id, ${subtreeBelow(sql, top).contains(locationOfItem(sql, "id"))} as inside
        from partner item where item.id = ${id} and item.deleted_at is null`
    )
    const selectPlace = precompileRead(
      sql,
      { id: "uuid" },
      ({ id }) =>
        sql<PartnerPlace>`
        select owner.id as partner_id, owner.root_id, ${areAncestorsActive(sql)} as partners_active
        from partner owner where owner.id = ${id} and owner.deleted_at is null`
    )
    return PartnerTree.of({
      lock: (root, mode): Effect.Effect<void, Busy> => mapTransientToBusy(sendAhead(lock[mode]({ root }))),
      find: ({ partner_id: top }, id) =>
        Effect.map(orDie(selectScoped({ top, id })), (rows) => toFoundRecord(rows, (row) => row.id)),
      findPlace: (id) => Effect.map(orDie(selectPlace({ id })), Arr.head),
      contains: ({ partner_id: top }, id) =>
        Effect.map(
          orDie(sql`select from partner_ancestor where partner_id = ${id} and ancestor_id = ${top}`),
          (rows) => rows.length > 0
        ),
      list: ({ partner_id: top }, limit) =>
        Effect.map(
          orDie(sql<{ readonly partner_id: PartnerId }>`
            select partner_id from partner_ancestor where ancestor_id = ${top} limit ${limit}`),
          (rows) => rows.map(({ partner_id }) => partner_id)
        ),
      isWithin: (top, id) =>
        Effect.map(
          orDie(sql<{ readonly inside: boolean }>`
            select ${
            subtreeOf(sql, top.record.partner_id).contains(locationOf(sql, sql`${id.record}::uuid`))
          } as inside`),
          ([row]) => row?.inside ?? false
        ),
      move: (partner, parent) => orDie(movePartner(sql, partner.record.partner_id, parent.record))
    })
  })
)
