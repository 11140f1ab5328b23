import { assert, describe, it } from "@effect/vitest"
import { aCompleteKyc, aCustomer } from "@lastro/testkit"
import { kycBody } from "@lastro/testkit/arbitraries"
import { opened, refusal, success } from "./opened.ts"

describe("origination by promises", () => {
  it("an application is opened, quoted, known, accepted and becomes a proposal", async () => {
    const { client, finishWork, lastro } = await opened()
    const customer = await success(lastro.run(aCustomer()))
    const open = () =>
      lastro.createApplication(client, { external_id: "loan-1", customer }, { idempotency_key: "loan-1" })
    const { application_id } = await success(open())
    assert.strictEqual((await success(open())).application_id, application_id)
    await finishWork()

    const { status } = await success(lastro.getApplicationStatus(client, application_id))
    assert.strictEqual(status.status, "QUOTED")
    const [found] = (await success(lastro.searchApplications(client, { external_id: "loan-1" }))).data
    assert.strictEqual(found?.application_id, application_id)
    const requote = () => lastro.requoteApplication(client, application_id, undefined, { idempotency_key: "q" })
    assert.deepStrictEqual((await success(requote())).quote, (await success(requote())).quote)
    await finishWork()
    const quoted = await success(lastro.getApplication(client, application_id, { include: "quotes" }))
    assert.lengthOf(quoted.quotes ?? [], 2)

    const offer = quoted.quote.offers[0]?.offer_id ?? ""
    const accept = (offer_id: string) => lastro.acceptOffer(client, application_id, offer_id, { terms_accepted: true })
    assert.strictEqual(await refusal(accept(offer)), "KycIncomplete")
    assert.strictEqual(await refusal(accept("no offer")), "NotFound")
    assert.notStrictEqual((await success(lastro.getKyc(client, application_id))).missing_fields.length, 0)
    await success(
      lastro.submitKyc(client, application_id, kycBody(aCompleteKyc().for(customer).build()), {
        idempotency_key: "kyc"
      })
    )
    const { proposal_id } = await success(accept(offer))
    await finishWork()
    assert.strictEqual((await success(lastro.getProposal(client, proposal_id))).proposal_id, proposal_id)
    assert.lengthOf((await success(lastro.listProposals(client, { external_id: "loan-1" }))).content, 1)
    await lastro.close()
  })

  it("a status is held while it is known, until it changes", async () => {
    const { client, finishWork, lastro } = await opened()
    const customer = await success(lastro.run(aCustomer()))
    const { application_id } = await success(lastro.createApplication(client, { external_id: "loan-2", customer }))
    await finishWork()
    const known = (await success(lastro.getApplicationStatus(client, application_id))).status
    const held = lastro.getApplicationStatus(client, application_id, { wait: 30, known })
    await success(lastro.requoteApplication(client, application_id))
    assert.notDeepEqual((await success(held)).status, known)
    await lastro.close()
  })

  it("ids that name nothing are NotFound", async () => {
    const { client, lastro } = await opened()
    const answers = ["", "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", "x"].flatMap((id) => [
      lastro.getApplication(client, id),
      lastro.getApplicationStatus(client, id),
      lastro.requoteApplication(client, id),
      lastro.acceptOffer(client, id, id, {}),
      lastro.getKyc(client, id),
      lastro.submitKyc(client, id, {}),
      lastro.getProposal(client, id)
    ])
    assert.deepStrictEqual(new Set(await Promise.all(answers.map(refusal))), new Set(["NotFound"]))
    await lastro.close()
  })
})
