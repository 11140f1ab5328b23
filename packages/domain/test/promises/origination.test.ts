import { assert, describe, it } from "@effect/vitest"
import { aCompleteKyc, aCustomer, MemoryDatabase } from "@lastro/testkit"
import { kycBody } from "@lastro/testkit/arbitraries"
import { Effect } from "effect"
import { PersonalDataHasher } from "../../src/audit/PersonalDataHasher.ts"
import { canonicalJson } from "../../src/input/json.ts"
import { opened, refusal, success } from "./opened.ts"

describe("functions of origination", () => {
  it("an application is opened, quoted, completed, accepted and becomes a proposal", async () => {
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

  it("IDEM-01 fingerprints of commands keep their form, so that stored keys still replay", async () => {
    const { client, finishWork, lastro } = await opened()
    const customer = await success(lastro.run(aCustomer()))
    const application = { external_id: "loan-3", customer }
    const created = await success(lastro.createApplication(client, application, { idempotency_key: "create" }))
    const { application_id } = created
    await finishWork()
    await success(
      lastro.requoteApplication(client, application_id.toUpperCase(), undefined, { idempotency_key: "requote" })
    )
    await finishWork()
    const { quote } = await success(lastro.getApplication(client, application_id))
    const offer_id = quote.offers[0]?.offer_id ?? ""
    const kyc = kycBody(aCompleteKyc().for(customer).build())
    await success(lastro.submitKyc(client, application_id, kyc, { idempotency_key: "submit" }))
    const terms = { terms_accepted: true }
    await success(lastro.acceptOffer(client, application_id, offer_id, terms, { idempotency_key: "accept" }))
    const { expected, stored } = await success(lastro.run(Effect.gen(function*() {
      const { state } = yield* MemoryDatabase
      const { hash } = yield* PersonalDataHasher
      return {
        stored: Array.from((yield* state).answers.values(), ({ fingerprint }) => fingerprint),
        expected: yield* Effect.forEach([
          `["createApplication",${canonicalJson(application)}]`,
          `["requoteApplication","${application_id}",null]`,
          `["submitKyc","${application_id}",${canonicalJson(kyc)}]`,
          `["acceptOffer","${application_id}","${offer_id}",{"terms_accepted":true}]`
        ], hash)
      }
    })))
    assert.deepStrictEqual(stored, expected)
    await lastro.close()
  })

  it("a long poll waits while the caller has the status, until it changes", async () => {
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

  it("unknown and malformed ids are NotFound", async () => {
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
