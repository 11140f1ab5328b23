import { type Caller } from "@lastro/domain/access"
import { type Lastro, orThrow } from "@lastro/domain/promises"
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { openTenants } from "../src/tenants.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) {
  throw new Error("Set DATABASE_URL to a database for the tests: postgres://user:password@host/name")
}

/** Each run creates its own trees, so the tests can run again on the same database. */
const client_id = `test-${Date.now()}`

/** Creates the tree of a tenant. Returns a caller at its root. */
const openTree = async (lastro: Lastro, name: string) => {
  const partner = {
    type: "pj",
    name,
    email: "loja@example.com",
    phone: "1133334444",
    document_number: "11222333000181"
  }
  const root = orThrow(await lastro.createRootPartner({ partner }))
  orThrow(await lastro.createApiClient(root.partner_id, "admin", { client_id }))
  return orThrow(await lastro.callerOfClient(client_id))
}

/** Waits until the quote of a loan has an answer. Returns the status. */
const awaitQuote = async (lastro: Lastro, caller: Caller, application_id: string) => {
  const known = orThrow(await lastro.getApplicationStatus(caller, application_id)).status
  return known.next_action === "WAIT"
    ? orThrow(await lastro.getApplicationStatus(caller, application_id, { wait: 20, known })).status
    : known
}

const loan = {
  external_id: "loan-1",
  customer: { cpf: "111.444.777-35", birth_date: "1990-05-17", name: "Maria da Conceição" }
}

test("two tenants have the same client and the same loan, and each gets its own quote", async (t) => {
  const tenants = await openTenants(url, ["north", "south"])
  t.after(() => tenants[Symbol.asyncDispose]())
  const opened = await Promise.all(["north", "south"].map(async (name) => {
    const lastro = tenants.of(name)
    const caller = await openTree(lastro, name)
    const { application_id } = orThrow(await lastro.createApplication(caller, loan, { idempotency_key: "loan-1" }))
    assert.equal((await awaitQuote(lastro, caller, application_id)).status, "QUOTED")
    assert.equal(orThrow(await lastro.listApplications(caller)).page.total_elements, 1)
    return { lastro, caller, application_id }
  }))
  const [north, south] = opened
  assert(north !== undefined && south !== undefined)
  assert.notEqual(north.application_id, south.application_id)
  const foreign = await south.lastro.getApplication(south.caller, north.application_id)
  assert(foreign._tag === "Failure")
  assert.equal(foreign.failure._tag, "NotFound")
  assert.throws(() => tenants.of("west"), /no tenant west/)
})

/** Returns the number of open connections of this process. */
const connections = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length

test("a tenant that cannot start leaves no connection of another tenant open", { timeout: 10_000 }, async () => {
  await assert.rejects(openTenants(url, ["north", "pg_reserved"]), /pg_/)
  // The operating system confirms the end of a connection a little later.
  while (connections() > 0) await setTimeout(10)
})
