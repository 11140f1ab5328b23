import { type Caller } from "@lastro/domain/access"
import { ConflictException, Inject, Injectable, NotFoundException } from "@nestjs/common"
import { Database } from "./Database.ts"
import { valueOf } from "./valueOf.ts"

/**
 * An order of the shop. `customer` is the customer of the loan that pays for the order. Lastro validates this field.
 */
export interface NewOrder {
  readonly order_id: string
  readonly total: number
  readonly customer: unknown
}

/** Orders of the shop, with the loans that pay for them. */
@Injectable()
export class OrderService {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Stores an order and opens its loan, in one transaction. */
  place(caller: Caller, { customer, order_id, total }: NewOrder) {
    return this.database.lastro.atomically(async (tx) => {
      const { application_id } = valueOf(await tx.createApplication(caller, { external_id: order_id, customer }))
      const { rowCount } = await tx.query(
        "insert into shop_order values ($1, $2, $3) on conflict do nothing",
        [order_id, application_id, total]
      )
      if (rowCount === 0) throw new ConflictException("The order exists already.")
      return { order_id, application_id }
    })
  }

  /**
   * Returns the status of an order's loan. While the next action is WAIT, waits for at most ten seconds for a change.
   */
  async status(caller: Caller, order_id: string) {
    const { rows: [order] } = await this.database.pool.query<{ readonly application_id: string }>(
      "select application_id from shop_order where order_id = $1",
      [order_id]
    )
    if (order === undefined) throw new NotFoundException()
    const { lastro } = this.database
    const known = valueOf(await lastro.getApplicationStatus(caller, order.application_id)).status
    return known.next_action === "WAIT"
      ? valueOf(await lastro.getApplicationStatus(caller, order.application_id, { wait: 10, known })).status
      : known
  }
}
