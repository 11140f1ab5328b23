import { assert, describe, it } from "@effect/vitest"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { type DomainEvent, eventTypes } from "@lastro/domain/event"
import { deliverDueWebhooks } from "@lastro/domain/webhook"
import {
  aCaller,
  aCompleteKyc,
  aCustomer,
  aPartner,
  openTestLastro,
  RecordingWebhookSender,
  type SandboxOutcome
} from "@lastro/testkit"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Result } from "effect"
import { document } from "./operations.ts"

const ajv = new Ajv2020({ allErrors: true, strict: false })
formats.default(ajv)
ajv.addFormat("idn-email", true)
ajv.addSchema(document, "openapi.json")

/** The deliveries of the document, with their pointers made absolute. */
const deliveries: Readonly<Record<string, unknown>> = JSON.parse(
  JSON.stringify(document.webhooks).replaceAll("\"#/components", "\"openapi.json#/components")
)

const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => Object(found)[key] as unknown, value)

const schemaOf = (type: string) =>
  Object(field(deliveries[type], "post", "requestBody", "content", "application/json", "schema")) as object

const got = async <A, E>(promise: Promise<Result.Result<A, E>>): Promise<A> => Result.getOrThrow(await promise)

/** Plays loans with these outcomes, and changes of every other kind of record. Returns the events. */
const playEverything = async (...outcomes: ReadonlyArray<SandboxOutcome>): Promise<ReadonlyArray<DomainEvent>> => {
  await using fixture = await openTestLastro({ lender: layerSandboxLender({ stepMs: 0 }) })
  const { callerFor, finishWork, given, lastro } = fixture
  const root = await given(aPartner())
  const caller = await callerFor(aCaller().at(root).inGroup("admin"))
  const partner = {
    type: "pj",
    name: "Loja",
    email: "a@b.example",
    phone: "11987654321",
    document_number: "12ABC34501DE35"
  }
  const { partner_id } = await got(lastro.createPartner(caller, { partner }))
  await got(lastro.updatePartner(caller, partner_id, { partner: { name: "Outra" } }))
  const group_id = (await got(lastro.listGroups(caller)))[0]?.group_id
  const person = { name: "José", email: "j@b.example", phone: "11987654321", cpf: "52998224725", group_id, partner_id }
  const { user_id } = await got(lastro.createUser(caller, person))
  await got(lastro.deleteUser(caller, user_id))
  const { client: { client_id } } = await got(lastro.createApiClient(root.partner_id, "viewer"))
  await got(lastro.rotateApiClient(client_id))
  await got(lastro.revokeApiClient(client_id))
  const play = async (outcome: SandboxOutcome): Promise<void> => {
    const customer = aCustomer().withSandboxOutcome(outcome).build()
    const { application_id: id } = await got(lastro.createApplication(caller, { external_id: outcome, customer }))
    await finishWork()
    const { quote: { offers: [offer] } } = await got(lastro.getApplication(caller, id))
    if (offer === undefined) return
    await got(lastro.submitKyc(caller, id, aCompleteKyc().for(customer).build()))
    const body = { terms_accepted: true, ip: "200.1.2.3", user_agent: "Mozilla/5.0" }
    await got(lastro.acceptOffer(caller, id, offer.offer_id, body))
    await finishWork()
  }
  await outcomes.reduce((before, outcome) => before.then(() => play(outcome)), Promise.resolve())
  return (await got(lastro.listEvents(caller, { limit: "1000" }))).data
}

describe("the webhooks of the document", () => {
  it("have one entry for each type of event, and one for a test", () => {
    assert.deepStrictEqual(Object.keys(document.webhooks), [...eventTypes, "webhook.test"])
  })

  it("describe every event that loans and changes append", async () => {
    const events = await playEverything("PAID", "SETTLED", "NO_BALANCE", "KYC_REJECTED", "SIGNATURE_EXPIRED")
    const kinds = new Set(events.map(({ subject: { kind } }) => kind))
    assert.sameMembers([...kinds], ["partner", "user", "client", "application", "proposal"])
    for (const event of events) {
      const validate = ajv.compile(schemaOf(event.type))
      assert.isTrue(validate(event), `${event.type}: ${ajv.errorsText(validate.errors)}`)
      const other = event.type === "partner.created" ? "partner.moved" : "partner.created"
      assert.isFalse(ajv.compile(schemaOf(other))(event), `${event.type} as ${other}`)
    }
    const paid = events.find(({ type }) => type === "proposal.paid")
    assert.isFalse(ajv.compile(schemaOf("proposal.paid"))({ ...paid, data: { ...paid?.data, status: "LOST" } }))
    assert.isFalse(ajv.compile(schemaOf("proposal.paid"))({ ...paid, data: { status: "PAID" } }))
  })

  it("describe a test", async () => {
    await using fixture = await openTestLastro()
    const { callerFor, lastro } = fixture
    const caller = await callerFor(aCaller().inGroup("admin"))
    const { webhook_id } = await got(lastro.createWebhook(caller, { url: "https://hooks.example" }))
    await got(lastro.testWebhook(caller, webhook_id))
    await got(lastro.run(Effect.result(deliverDueWebhooks)))
    const sent = await got(lastro.run(Effect.map(RecordingWebhookSender, (sender) => sender.sent())))
    const validate = ajv.compile(schemaOf("webhook.test"))
    assert.deepStrictEqual(sent.map(({ url }) => url), ["https://hooks.example"])
    const event: unknown = JSON.parse(sent[0]?.body ?? "")
    assert.isTrue(validate(event), ajv.errorsText(validate.errors))
    assert.isFalse(ajv.compile(schemaOf("proposal.paid"))(event))
  })
})
