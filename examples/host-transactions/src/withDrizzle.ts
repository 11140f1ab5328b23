import { type Lastro, orThrow } from "@lastro/domain/promises"
import { drizzle } from "drizzle-orm/node-postgres"
import { numeric, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { type Pool } from "pg"
import { type Order } from "./order.ts"

const shopOrder = pgTable("shop_order", {
  order_id: text().primaryKey(),
  application_id: uuid().notNull(),
  total: numeric({ mode: "number" }).notNull(),
  partner_id: uuid().notNull()
})

/** Places an order in a transaction of Drizzle. */
export const placeOrder = async (lastro: Lastro, pool: Pool, { caller, loan, order_id, total }: Order) => {
  const client = await pool.connect()
  try {
    return await drizzle({ client }).transaction(async (db) => {
      const tx = lastro.within(client)
      const { application_id } = orThrow(await tx.createApplication(caller, loan))
      await db.insert(shopOrder).values({ order_id, application_id, total, partner_id: caller.partner_id })
      return application_id
    })
  } finally {
    client.release()
  }
}
