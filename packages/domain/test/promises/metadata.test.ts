import { assert, describe, it } from "@effect/vitest"
import { aCustomer } from "@lastro/testkit"
import { opened, partnerBody, refusal, success } from "./opened.ts"

describe("metadata in the functions for callers", () => {
  it("META-04 META-06 is created, patched and filtered by, as an object or URLSearchParams", async () => {
    const { client, lastro } = await opened()
    const body = { ...partnerBody("11.222.333/0001-81"), metadata: { plan: "gold", trial: "yes" } }
    const { partner_id } = await success(lastro.createPartner(client, body))
    const patched = await success(lastro.updatePartner(client, partner_id, { metadata: { trial: null, size: "7" } }))
    assert.deepStrictEqual(patched.metadata, { plan: "gold", size: "7" })
    const total = async (query: unknown) => (await success(lastro.listPartners(client, query))).page.total_elements
    assert.strictEqual(await total({ metadata: { plan: "gold", size: 7 } }), 1)
    const noText = [null, undefined].map((plan) => lastro.listPartners(client, { metadata: { plan, size: 7 } }))
    for (const refused of await Promise.all(noText)) {
      assert.deepStrictEqual(
        refused._tag === "Failure" && refused.failure._tag === "ValidationFailed" && refused.failure.problems,
        [{ field: "query.metadata[plan]", code: "NOT_NULLABLE" }]
      )
    }
    assert.strictEqual(await total({ metadata: undefined, name: null }), 2)
    assert.strictEqual(await total(new URLSearchParams("metadata[plan]=gold&metadata[size]=7")), 1)
    assert.strictEqual(await total({ metadata: { plan: "gold", trial: "yes" } }), 0)
    assert.strictEqual(await total({ metadata: {} }), 2)
    await lastro.close()
  })

  it("PRE-01 META-07 an application is patched only if it is the one that the caller has read", async () => {
    const { client, lastro } = await opened()
    const customer = await success(lastro.run(aCustomer()))
    const based_on = await success(lastro.createApplication(client, { external_id: "loan-1", customer }))
    assert.deepStrictEqual(based_on.metadata, {})
    const patch = (plan: string) =>
      lastro.updateApplication(client, based_on.application_id, { metadata: { plan } }, { based_on })
    const patched = await success(patch("gold"))
    assert.deepStrictEqual(patched, { ...based_on, metadata: { plan: "gold" } })
    assert.strictEqual(await refusal(patch("silver")), "PreconditionFailed")
    await lastro.close()
  })
})
