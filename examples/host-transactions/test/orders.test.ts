import { orThrow } from "@lastro/domain/promises"
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import pg from "pg"
import * as atomically from "../src/atomically.ts"
import { openPostgresLastro } from "../src/lastro.ts"
import { listOrders } from "../src/listOrders.ts"
import { createOrderTable, type Order } from "../src/order.ts"
import * as withDrizzle from "../src/withDrizzle.ts"
import * as withKysely from "../src/withKysely.ts"
import * as withPg from "../src/withPg.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) {
  throw new Error("Set DATABASE_URL to a database for the tests: postgres://user:password@host/name")
}

const lastro = await openPostgresLastro(url)
const pool = new pg.Pool({ connectionString: url })
after(() => pool.end().then(() => lastro.close()))

/** Each run creates its own tree, so the tests can run again on the same database. */
const client_id = `test-${Date.now()}`
before(async () => {
  await pool.query(createOrderTable)
  const shop = {
    type: "pj",
    name: "Loja",
    email: "loja@example.com",
    phone: "1133334444",
    document_number: "11222333000181"
  }
  const root = orThrow(await lastro.createRootPartner({ partner: shop }))
  orThrow(await lastro.createApiClient(root.partner_id, "admin", { client_id }))
})

const customer = { cpf: "111.444.777-35", birth_date: "1990-05-17", name: "Maria da Conceição" }

const versions = {
  atomically: (order: Order) => atomically.placeOrder(lastro, order),
  pg: (order: Order) => withPg.placeOrder(lastro, pool, order),
  Kysely: (order: Order) => withKysely.placeOrder(lastro, pool, order),
  Drizzle: (order: Order) => withDrizzle.placeOrder(lastro, pool, order)
}

for (const [name, placeOrder] of Object.entries(versions)) {
  describe(name, () => {
    const order = async (change: { readonly total?: number; readonly loan?: object }) => ({
      order_id: `${client_id} ${name}`,
      total: 100,
      caller: orThrow(await lastro.callerOfClient(client_id)),
      loan: { external_id: name, customer },
      ...change
    })

    /** Returns the number of stored loans and orders. */
    const stored = async () => {
      const { caller, order_id } = await order({})
      const loans = orThrow(await lastro.searchApplications(caller, { external_id: name }))
      const { rowCount } = await pool.query("select from shop_order where order_id = $1", [order_id])
      return [loans.data.length, rowCount]
    }

    test("a refused row stores no loan, and a refused loan stores no order", async () => {
      await assert.rejects(placeOrder(await order({ total: -1 })))
      assert.deepEqual(await stored(), [0, 0])
      const refused = placeOrder(await order({ loan: { external_id: name } }))
      await assert.rejects(refused, { _tag: "ValidationFailed" })
      assert.deepEqual(await stored(), [0, 0])
    })

    test("an order and its loan are stored together, and the loan gets a quote", async () => {
      const { caller, ...rest } = await order({})
      const application_id = await placeOrder({ caller, ...rest })
      assert.deepEqual(await stored(), [1, 1])
      const known = orThrow(await lastro.getApplicationStatus(caller, application_id)).status
      const status = known.next_action === "WAIT"
        ? orThrow(await lastro.getApplicationStatus(caller, application_id, { wait: 20, known })).status
        : known
      assert.equal(status.status, "QUOTED")
    })
  })
}

test("a caller sees the orders of its partner and of the partners below it, and no others", async () => {
  const caller = orThrow(await lastro.callerOfClient(client_id))
  const partner = { type: "pf", name: "Ana", email: "ana@example.com", phone: "1133334444" }
  const create = (document_number: string) => lastro.createPartner(caller, { partner: { ...partner, document_number } })
  const left = orThrow(await create("529.982.247-25"))
  const right = orThrow(await create("390.533.447-05"))
  for (const [name, { partner_id }] of Object.entries({ left, right })) {
    const at = orThrow(await lastro.callerAt(partner_id, { subject: name, group: "admin" }))
    const loan = { external_id: name, customer }
    await atomically.placeOrder(lastro, { order_id: `${client_id} ${name}`, total: 100, caller: at, loan })
  }
  const seenAt = async (partner_id: string) => {
    const at = orThrow(await lastro.callerAt(partner_id, { subject: "reader", group: "viewer" }))
    return listOrders(lastro, pool, at)
  }
  assert.deepEqual(await seenAt(left.partner_id), [`${client_id} left`])
  assert.deepEqual(await seenAt(right.partner_id), [`${client_id} right`])
  const all = await seenAt(caller.partner_id)
  assert.deepEqual(all.filter((id) => /left|right/.test(id)).toSorted(), [`${client_id} left`, `${client_id} right`])
})
