import { assert, describe, it } from "@effect/vitest"
import { groupBySlug } from "@lastro/domain/access"
import {
  defaultScenario,
  sandboxAnswer,
  sandboxDigits,
  sandboxScenario,
  sandboxScenarios
} from "@lastro/domain/adapters"
import { Customer, isComplete, KycValues } from "@lastro/domain/kyc"
import { policyOn, rejectionCodes } from "@lastro/domain/offer"
import { PartnerDetail } from "@lastro/domain/partner"
import { UserListItem } from "@lastro/domain/user"
import { saoPauloDate } from "@lastro/domain/values"
import {
  aCaller,
  aClient,
  aCompleteKyc,
  aCustomer,
  anApplication,
  aPartner,
  aUser,
  completePartner,
  exampleInstant,
  layerMemory,
  type SandboxOutcome,
  sandboxOutcomes,
  storeRootPartner
} from "@lastro/testkit"
import { Effect, Schema, Struct } from "effect"

const isValid = <A>(schema: Schema.Codec<A, unknown>, record: A) =>
  assert.deepEqual(Schema.decodeUnknownSync(schema, { errors: "all", onExcessProperty: "error" })(record), record)

describe("builders", () => {
  it("build valid records whose fields can all be replaced", () => {
    isValid(PartnerDetail, aPartner().build())
    isValid(PartnerDetail, completePartner.build())
    isValid(UserListItem, aUser().build())
    isValid(Customer, aCustomer().build())
    isValid(KycValues, aCompleteKyc().build())
    const given = { name: "Ângela", email: "a@example.com", created_at: "2020-01-01T00:00:00.000Z" }
    const partners: ReadonlyArray<object> = [aPartner(given).build(), aPartner().with(given).build()]
    for (const partner of partners) assert.deepInclude(partner, given)
  })

  it("are immutable effects of their records", () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const partner = aPartner()
        const named = partner.named("Núcleo")
        assert.strictEqual((yield* partner).name, "Parceira Exemplo")
        assert.strictEqual((yield* named.inactive()).name, "Núcleo")
        assert.deepInclude(yield* named, { name: "Núcleo", status: "active" })
        assert.notStrictEqual((yield* partner).partner_id, (yield* partner).partner_id, "fresh each time")
        assert.notStrictEqual(partner.build().document_number, partner.build().document_number)
        const root = yield* storeRootPartner()
        assert.strictEqual((yield* partner.under(root)).parent_id, root.partner_id)
        assert.strictEqual(partner.under(root.partner_id).build().parent_id, root.partner_id)
      }).pipe(Effect.provide(layerMemory))
    ))

  it("partners have the given fields", () => {
    const partner = aPartner().withCnpj("12ABC34501DE35").withPix("PHONE", "(11) 98765-4321").withAddress({ uf: "RJ" })
      .withBankAccount({ type: "CP" }).build()
    isValid(PartnerDetail, partner)
    assert.strictEqual(partner.person_type, "pj")
    assert.deepEqual(partner.pix, { type: "PHONE", key: "+5511987654321" })
    assert.strictEqual(partner.address?.uf, "RJ")
    assert.strictEqual(partner.bank_account?.type, "CP")
    assert.throws(() => aPartner().withPix("CPF", "1"))
  })

  it("users and clients belong to a partner and a group", () => {
    const partner = aPartner().build()
    const user = aUser().of(partner).inGroup("manager").inactive().mustChangePassword().named("Íris").build()
    isValid(UserListItem, user)
    assert.deepInclude(user, { name: "Íris", status: "INACTIVE", must_change_password: true })
    assert.deepInclude(user, { partner_id: partner.partner_id, email: `maria.${user.user_id}@example.com` })
    assert.strictEqual(user.group.slug, "manager")
    const client = aClient().of(partner.partner_id).inGroup("viewer").called("desk").build()
    assert.deepInclude(client, { client_id: "desk", partner_id: partner.partner_id, revoked_at: null })
    assert.strictEqual(client.group_id, groupBySlug("viewer").group_id)
    assert.match(aClient().build().client_id, /^example-/)
  })

  it("callers have the permissions of their group, or fewer", () => {
    const [root, partner] = [aPartner().build(), aPartner().build()]
    const operator = aCaller().at(partner, root).inGroup("operator").build()
    assert.deepInclude(operator, { kind: "user", partner_id: partner.partner_id, root_id: root.partner_id })
    assert.deepStrictEqual([...operator.permissions], [...groupBySlug("operator").permissions])
    const client = aCaller().at(root).asClient().called("desk").allowedOnly("fgts:write").build()
    assert.deepInclude(client, { kind: "client", subject: "desk", root_id: root.partner_id, group: "admin" })
    assert.deepStrictEqual([...client.permissions], ["fgts:write"])
    assert.isTrue(aCaller().mustChangePassword().build().must_change_password)
    const anybody = aCaller().build()
    assert.strictEqual(anybody.root_id, anybody.partner_id)
  })

  it("a KYC is complete and matches its customer", () => {
    const customer = aCustomer().named("Zélia").bornOn("1970-01-02").build()
    const kyc = aCompleteKyc().for(customer).build()
    assert.isTrue(isComplete(kyc, undefined))
    assert.deepInclude(kyc, { name: "Zélia", cpf: customer.cpf, birth_date: customer.birth_date })
    const toBank = aCompleteKyc({ is_pep: true }).for(customer).paidToBank({ account_number: "7" }).build()
    assert.isTrue(isComplete(toBank, undefined))
    assert.deepInclude(toBank, { is_pep: true, disbursement_method: "BANK_TRANSFER", pix: null })
    assert.strictEqual(toBank.bank?.account_number, "7")
    assert.isFalse(isComplete(aCompleteKyc().without("mother_name").build(), undefined))
  })

  it("applications reach the given stage", () => {
    const partner = aPartner().build()
    const customer = aCustomer().build()
    const opened = anApplication().of(partner).for(customer).wishing({ max_installments: 3 }).build()
    assert.deepInclude(opened, { partner_id: partner.partner_id, customer, created_at: exampleInstant, version: 1 })
    assert.deepStrictEqual(opened.quotes[0].wish, { max_installments: 3, desired_amount: null })
    assert.strictEqual(anApplication().refused("NO_BALANCE").build().quotes[0].rejection?.code, "NO_BALANCE")
    assert.lengthOf(anApplication().quoted().build().quotes[0].offers, 2)
    const contracted = anApplication().for(aCustomer().named("Íris")).contracted()
    assert.strictEqual(contracted.build().proposal?.customer.name, "Íris")
    assert.strictEqual(contracted.moved("PAID").build().proposal?.status, "PAID")
    assert.lengthOf(Effect.runSync(contracted.history), 4)
    assert.throws(() => anApplication().accepted().build())
  })
})

/** Returns the answer of the sandbox lender to the first quote of a customer. */
const answered = (outcome: SandboxOutcome) => {
  const customer = aCustomer().withSandboxOutcome(outcome).build()
  const released_on = saoPauloDate(exampleInstant)
  const wish = { max_installments: null, desired_amount: null }
  const policy = policyOn(released_on)
  return sandboxAnswer({ number: 1, attempt: 1, requested_at: exampleInstant, released_on, policy, wish, customer })
    .quotation
}

describe("sandboxOutcomes", () => {
  it("names every sandbox outcome once", () => {
    const digits = Object.values(sandboxOutcomes)
    assert.sameMembers(digits, [...sandboxScenarios.keys(), "00"])
    assert.lengthOf(digits, new Set(digits).size)
    assert.strictEqual(sandboxScenario(sandboxOutcomes.PAID), defaultScenario)
  })

  it("an outcome named after a rejection code gives that rejection", () => {
    const codes = Struct.keys(sandboxOutcomes).filter((name) => rejectionCodes.some((code) => code === name))
    assert.isAbove(codes.length, 12)
    for (const name of codes) {
      const { contract_refusal, refuses, silent_attempts } = sandboxScenario(sandboxOutcomes[name])
      const answer = answered(name)
      const code = answer?.kind === "REFUSED" ? answer.rejection.code : contract_refusal?.code
      assert.strictEqual(code ?? (silent_attempts > 0 ? "UPSTREAM_UNAVAILABLE" : refuses?.code), name)
    }
  })

  it("an outcome has many customers; other customers have the default outcome", () => {
    const cpfs = Array.from({ length: 50 }, () => aCustomer().withSandboxOutcome("NO_BALANCE").build().cpf)
    assert.isTrue(cpfs.every((cpf) => sandboxDigits(cpf) === "89"))
    assert.isAbove(new Set(cpfs).size, 45)
    for (let i = 0; i < 200; i++) {
      assert.strictEqual(sandboxScenario(sandboxDigits(aCustomer().build().cpf)), defaultScenario)
    }
  })
})
