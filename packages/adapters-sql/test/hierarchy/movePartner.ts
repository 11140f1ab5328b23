import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail } from "@lastro/domain/partner"
import { PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Moves a partner as the use case does: locks the tree, checks for a cycle, moves. `ready` runs inside the transaction,
 * before the lock. Returns false for an invalid move (of a root, to another tree, into its own subtree).
 */
export const movePartner = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  parent: PartnerDetail,
  ready: Effect.Effect<unknown> = Effect.void
) {
  const tree = yield* PartnerTree
  const sql = yield* SqlClient.SqlClient
  return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
    const roots = yield* Effect.orDie(sql<{ readonly id: string; readonly root_id: PartnerDetail["partner_id"] }>`
      select id, root_id from partner where id in ${sql.in([partner.partner_id, parent.partner_id])}`)
    yield* ready
    const root = roots[0]?.root_id
    if (root === undefined || root === partner.partner_id || roots.some(({ root_id }) => root_id !== root)) return false
    yield* tree.lock(root, "exclusive")
    if (yield* tree.isWithin(asOperator.inScope(partner), asOperator.inScope(parent.partner_id))) return false
    yield* tree.move(asOperator.inScope(partner), asOperator.inScope(parent.partner_id))
    return true
  }))
})
