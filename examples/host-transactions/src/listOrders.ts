import { type Caller } from "@lastro/domain/access"
import { type Lastro, orThrow } from "@lastro/domain/promises"
import { type Pool } from "pg"

/**
 * Reads the orders of a subtree with an index. The time depends on the number of orders in the subtree, so this
 * condition suits small subtrees.
 */
const ofFewPartners = "partner_id = any (array(select partner_id from partner_ancestor where ancestor_id = $1))"

/**
 * Reads the newest orders until the page is full. The time depends on how many orders of other subtrees come in
 * between.
 */
const ofManyPartners = "(partner_id in (select partner_id from partner_ancestor where ancestor_id = $1)) is true"

/** Lists the newest orders that the caller may see: those of its partner and of that partner's descendants. */
export const listOrders = async (lastro: Lastro, pool: Pool, caller: Caller): Promise<ReadonlyArray<string>> => {
  const scope = orThrow(lastro.scope(caller))
  const few = await scope.partnerIds({ limit: 1000 })
  const condition = few._tag === "Success" ? ofFewPartners : ofManyPartners
  const { rows } = await pool.query<{ order_id: string }>(
    `select order_id from shop_order where ${condition} order by created_at desc limit 50`,
    [scope.partner_id]
  )
  return rows.map(({ order_id }) => order_id)
}
