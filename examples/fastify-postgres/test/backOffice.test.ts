import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { backOffice } from "../src/app.ts"
import { openPostgresLastro } from "../src/lastro.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) {
  throw new Error("Set DATABASE_URL to a database for the tests: postgres://user:password@host/name")
}

const shop = (name: string, document_number: string) => ({
  partner: { type: "pj", name, email: "loja@example.com", phone: "1133334444", document_number }
})

const lastro = await openPostgresLastro({ url, node: "test" })
const app = backOffice(
  lastro,
  ({ headers }) => typeof headers["x-signed-in"] === "string" ? headers["x-signed-in"] : ""
)
after(() => app.close().then(() => lastro.close()))

/** Each run creates its own tree, so the tests can run again on the same database. */
const client = `test-${Date.now()}`
before(async () => {
  // `npm start` does the same, so the tests and the service can share a database.
  await lastro.bootstrap({ client_id: "head-office" })
  const root = await lastro.createRootPartner(shop("Matriz", "11222333000181"))
  assert.ok(root._tag === "Success")
  const created = await lastro.createApiClient(root.success.partner_id, "admin", { client_id: client })
  assert.ok(created._tag === "Success")
})

const call = async (
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: object,
  headers: Record<string, string> = {}
) => {
  const response = await app.inject({
    method,
    url: path,
    headers: { "x-signed-in": client, ...headers },
    ...(body === undefined ? {} : { payload: body })
  })
  return { status: response.statusCode, body: response.json() }
}

test("an unknown client is rejected", async () => {
  const { body, status } = await call("GET", "/shops", undefined, { "x-signed-in": "nobody" })
  assert.deepEqual([status, body.error.code], [401, "UNAUTHENTICATED"])
})

test("creates, finds and renames a shop", async () => {
  const opened = await call("POST", "/shops", shop("Loja São João", "11444777000161"))
  assert.equal(opened.status, 201)
  const found = await call("GET", "/shops?name=sao%20joao&size=5")
  assert.equal(found.body.page.total_elements, 1)
  const renamed = await call("PATCH", `/shops/${opened.body.partner_id}`, { partner: { name: "Loja Centro" } })
  assert.equal(renamed.body.name, "Loja Centro")
})

test("reports all problems of a request in one response", async () => {
  const { body, status } = await call("POST", "/shops", { partner: { type: "pj", name: "X", document_number: "1" } })
  assert.equal(status, 422)
  const fields = body.error.details.map(({ field }: { readonly field: string }) => field)
  for (const field of ["partner.email", "partner.phone", "partner.document_number"]) {
    assert.ok(fields.includes(field), field)
  }
})

test("opens one loan for each idempotency key and gets a quote", async () => {
  const loan = {
    external_id: "loan-1",
    customer: { cpf: "111.444.777-35", birth_date: "1990-05-17", name: "Maria da Conceição" }
  }
  const open = () => call("POST", "/loans", loan, { "idempotency-key": `loan-${client}` })
  const [first, second] = [await open(), await open()]
  assert.equal(first.status, 201)
  assert.equal(second.body.application_id, first.body.application_id)

  const path = `/loans/${first.body.application_id}`
  const { body: firstStatus } = await call("GET", `${path}/status`)
  const { body: quoted } = firstStatus.next_action === "WAIT"
    ? await call("GET", `${path}/status`)
    : { body: firstStatus }
  assert.equal(quoted.status, "QUOTED")
  const { body: application } = await call("GET", path)
  assert.ok(application.quote.offers.length > 0)
})
