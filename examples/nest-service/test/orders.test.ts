import { orThrow } from "@lastro/domain/promises"
import { NestFactory } from "@nestjs/core"
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { AppModule } from "../src/AppModule.ts"
import { Database } from "../src/Database.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) {
  throw new Error("Set DATABASE_URL to a database for the tests: postgres://user:password@host/name")
}

const app = await NestFactory.create(AppModule.over(url), { logger: false })
await app.listen(0, "127.0.0.1")
const origin = await app.getUrl()
const { lastro, pool } = app.get(Database)
after(() => app.close())

/** Each run creates its own shops, so the tests can run again on the same database. */
const run = Date.now()

/** Creates a shop with one employee per role. The session of an employee is the name of the shop and the role. */
const openShop = async (name: string, roles: ReadonlyArray<string>) => {
  const partner = {
    type: "pj",
    name,
    email: "loja@example.com",
    phone: "1133334444",
    document_number: "11222333000181"
  }
  const { partner_id } = orThrow(await lastro.createRootPartner({ partner }))
  for (const role of roles) {
    const id = `${name}-${role}-${run}`
    await pool.query("insert into employee values ($1, $2, $3, $1)", [id, role, partner_id])
  }
  return partner_id
}

const call = async (session: string, path: string, body?: object) => {
  const response = await fetch(`${origin}${path}`, {
    headers: { authorization: `Bearer ${session}-${run}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
  })
  return { status: response.status, body: Object(await response.json()) }
}

const customer = { cpf: "111.444.777-35", birth_date: "1990-05-17", name: "Maria da Conceição" }
const order = { order_id: `order-${run}`, total: 100, customer }

/** Returns the numbers of stored orders and loans. */
const stored = async (partner_id: string) => {
  const owner = orThrow(await lastro.callerAt(partner_id, { subject: "test", group: "admin" }))
  const { rowCount } = await pool.query("select from shop_order where order_id = $1", [order.order_id])
  return [rowCount, orThrow(await lastro.listApplications(owner)).page.total_elements]
}

let partner_id = ""
before(async () => {
  partner_id = await openShop("north", ["clerk", "auditor"])
  await openShop("south", ["clerk"])
})

test("an unknown session, a role without the permission and an invalid customer are refused, and store nothing", async () => {
  assert.equal((await call("nobody", "/orders", order)).status, 401)
  const denied = await call("north-auditor", "/orders", order)
  assert.deepEqual([denied.status, denied.body.error.code], [403, "PERMISSION_DENIED"])
  const invalid = await call("north-clerk", "/orders", { ...order, customer: {} })
  assert.equal(invalid.status, 422)
  assert.deepEqual(await stored(partner_id), [0, 0])
})

test("an order and its loan are stored together, once, and the loan gets a quote", async () => {
  const placed = await call("north-clerk", "/orders", order)
  assert.equal(placed.status, 201)
  assert.equal((await call("north-clerk", "/orders", order)).status, 409)
  assert.deepEqual(await stored(partner_id), [1, 1])
  const { body } = await call("north-clerk", `/orders/${order.order_id}/status`)
  assert.equal(body.status, "QUOTED")
})

test("employees of other shops, and of an inactive shop, are refused", async () => {
  const path = `/orders/${order.order_id}/status`
  assert.equal((await call("south-clerk", path)).status, 403)
  orThrow(await lastro.setPartnerStatus(partner_id, "inactive"))
  const refused = await call("north-clerk", path)
  // `reason` is for the log of the service only.
  const { request_id, ...error } = refused.body.error
  assert.equal(typeof request_id, "string")
  assert.deepEqual(
    [refused.status, error],
    [401, {
      code: "UNAUTHENTICATED",
      message: "The access token is missing or invalid. Send a valid bearer token in the Authorization header.",
      details: []
    }]
  )
})
