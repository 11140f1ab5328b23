import { Effect } from "effect"
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import * as generated from "./generated.ts"
import * as own from "./own.ts"
import { startServer } from "./server.ts"

let server: Awaited<ReturnType<typeof startServer>>
before(async () => {
  server = await startServer()
})
after(() => server.close())

const partner = {
  type: "pj" as const,
  name: "Crédito Fácil",
  email: "contato@facil.example",
  phone: "(11) 98765-4321",
  document_number: "12.ABC.345/01DE-35"
}

test("the generated client creates, lists and updates a partner, and gets field errors", async () => {
  const api = await generated.signIn(server)
  const created = await api.POST("/api/v1/partners", { body: { partner } })
  assert.equal(created.response.status, 201)
  assert(created.data)
  const { partner_id } = created.data.data

  const listed = await api.GET("/api/v1/partners", {
    params: { query: { name: "facil", sort: ["name,desc"], size: 5 } }
  })
  assert(listed.data)
  assert.deepEqual(listed.data.content.map((item) => item.partner_id), [partner_id])
  assert.equal(listed.data.page.total_elements, 1)

  const patched = await api.PATCH("/api/v1/partners/{partner_uuid}", {
    params: { path: { partner_uuid: partner_id } },
    body: { partner: { name: "Crédito Fácil S.A." } }
  })
  assert.equal(patched.data?.data.name, "Crédito Fácil S.A.")

  await api.PATCH("/api/v1/partners/{partner_uuid}", {
    params: { path: { partner_uuid: partner_id } },
    body: { metadata: { plan: "gold", trial: null } }
  })
  const golden = await api.GET("/api/v1/partners", { params: { query: { metadata: { plan: "gold" } } } })
  assert.deepEqual(golden.data?.content.map(({ metadata }) => metadata), [{ plan: "gold" }])

  const refused = await api.POST("/api/v1/partners", { body: { partner: { ...partner, phone: "12" } } })
  assert(refused.error)
  assert.equal(refused.error.error.code, "VALIDATION_FAILED")
})

test("the own client creates and lists a partner, and fails with the error envelope", async () => {
  const api = await Effect.runPromise(own.signIn(server))
  const body = { partner: { ...partner, email: "outra@facil.example", document_number: "11.222.333/0001-81" } }
  const created = await Effect.runPromise(api.partners.createPartner({ payload: body, headers: {} }))
  const page = await Effect.runPromise(api.partners.listPartners({ query: { document_number: "11222333" } }))
  assert.deepEqual(page.content.map((item) => item.partner_id), [created.data.partner_id])
  const none = await Effect.runPromise(api.partners.listPartners({ query: { metadata: { plan: "silver" } } }))
  assert.equal(none.page.total_elements, 0)

  const refused = await Effect.runPromise(Effect.result(api.partners.createPartner({ payload: body, headers: {} })))
  assert.equal(refused._tag, "Failure")
})
