import { type Busy, type PartnerId, PartnerTree } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { busyOrDie } from "../database/busyOrDie.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"
import { movePartner } from "./movePartner.ts"
import { sealedRow } from "./sealedRow.ts"
import { placeOf, placeOfItem, scoped } from "./subtree.ts"

/** The partner trees in PostgreSQL: `parent_id` is the truth, the parts of each subtree the index, an advisory lock a tree's hold. */
export const layer: Layer.Layer<PartnerTree, never, SqlClient.SqlClient> = Layer.effect(
  PartnerTree,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const lock = locks(sql)
    return PartnerTree.of({
      hold: Effect.fn("PartnerTree.hold")((root, mode): Effect.Effect<void, Busy> =>
        Effect.asVoid(busyOrDie(lock[mode]("tree", root)))
      ),
      find: Effect.fn("PartnerTree.find")((scope, id) =>
        Effect.map(
          orDie(sql<{ readonly id: PartnerId; readonly inside: boolean }>`
            select item.id, ${scoped(sql, scope).holds(placeOfItem(sql, "id"))} as inside
            from partner item where item.id = ${id} and item.deleted_at is null`),
          (rows) => sealedRow(rows, (row) => row.id)
        )
      ),
      isWithin: Effect.fn("PartnerTree.isWithin")((top, id) =>
        Effect.map(
          orDie(sql<{ readonly inside: boolean }>`
            select ${scoped(sql, top.record.partner_id).holds(placeOf(sql, sql`${id.record}::uuid`))} as inside`),
          ([row]) => row?.inside ?? false
        )
      ),
      move: Effect.fn("PartnerTree.move")((partner, parent) =>
        orDie(movePartner(sql, partner.record.partner_id, parent.record))
      )
    })
  })
)
