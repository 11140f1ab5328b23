import { type Lastro, orThrow } from "@lastro/domain/promises"
import { type Order } from "./order.ts"

/** Places an order in a transaction of Lastro. A rejected loan and a rejected row both throw, and store nothing. */
export const placeOrder = (lastro: Lastro, { caller, loan, order_id, total }: Order) =>
  lastro.atomically(async (tx) => {
    const { application_id } = orThrow(await tx.createApplication(caller, loan))
    await tx.query("insert into shop_order values ($1, $2, $3, $4)", [
      order_id,
      application_id,
      total,
      caller.partner_id
    ])
    return application_id
  })
