import { type Lastro, orThrow } from "@lastro/domain/promises"
import { type Pool } from "pg"
import { type Order } from "./order.ts"

/** Places an order in a transaction on a client of `pg`. */
export const placeOrder = async (lastro: Lastro, pool: Pool, { caller, loan, order_id, total }: Order) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const tx = lastro.within(client)
    const { application_id } = orThrow(await tx.createApplication(caller, loan))
    await client.query("insert into shop_order values ($1, $2, $3, $4)", [
      order_id,
      application_id,
      total,
      caller.partner_id
    ])
    await client.query("COMMIT")
    client.release()
    return application_id
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    // The connection may be lost, so it does not return to the pool.
    client.release(true)
    throw error
  }
}
