import { type Lastro, type LastroTransaction, orThrow } from "@lastro/domain/promises"
import { Kysely, PostgresDialect, type Transaction } from "kysely"
import { type Pool } from "pg"
import { type Order } from "./order.ts"

interface Tables {
  readonly shop_order: {
    readonly order_id: string
    readonly application_id: string
    readonly total: number
    readonly partner_id: string
  }
}

/** Runs a transaction of Kysely that the use cases of Lastro join. Kysely releases the client at the end. */
const transact = async <A>(
  lastro: Lastro,
  pool: Pool,
  work: (trx: Transaction<Tables>, tx: LastroTransaction) => Promise<A>
): Promise<A> => {
  const client = await pool.connect()
  const single = { connect: async () => client, end: async () => {}, options: {} }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: single }) })
  return db.transaction().execute((trx) => work(trx, lastro.within(client)))
}

/** Places an order in a transaction of Kysely. */
export const placeOrder = (lastro: Lastro, pool: Pool, { caller, loan, order_id, total }: Order) =>
  transact(lastro, pool, async (trx, tx) => {
    const { application_id } = orThrow(await tx.createApplication(caller, loan))
    await trx.insertInto("shop_order").values({ order_id, application_id, total, partner_id: caller.partner_id })
      .execute()
    return application_id
  })
