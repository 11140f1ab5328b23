import { assert, describe, it } from "@effect/vitest"
import { type Customer, emptyKyc } from "@lastro/domain/kyc"
import { addDays, calendarDate } from "@lastro/domain/values"
import { aCompleteKyc, exampleBank, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newApplication } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { givenOpened, givenVoice, type Voice } from "../origination.ts"

const told = (reply: Reply, ...fields: ReadonlyArray<string>) => fields.map((field) => at(reply, field))

/** Arranges another application of the same customer. */
const givenAgain = Effect.fnUntraced(function*(voice: Voice, customer: object, fields: object = {}) {
  return String(at(yield* voice.create(yield* newApplication({ customer, ...fields })), "application_id"))
})

describe("KYC", () => {
  it.effect("suggests the customer data of the application, and counts none of it as submitted", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { customer, id } = yield* givenOpened(voice, { customer: { phone: "11987654321" as Customer["phone"] } })
      const read = yield* voice.kyc(id)
      assert.strictEqual(read.status, 200)
      assert.deepStrictEqual(told(read, "status", "complete", "prefilled_fields"), ["PREFILLED", false, [
        "name",
        "cpf",
        "birth_date",
        "phone"
      ]])
      assert.deepStrictEqual(told(read, "cpf", "birth_date", "name", "phone", "email", "gender"), [
        customer.cpf,
        customer.birth_date,
        customer.name,
        "11987654321",
        null,
        null
      ])
      assert.includeMembers(at(read, "missing_fields") as Array<string>, ["name", "cpf", "address.uf", "is_pep"])
      const tag = String(read.headers.get("etag"))
      const again = yield* voice.kyc(id, { headers: { "if-none-match": tag } })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
      assert.strictEqual(at(yield* voice.read(id), "kyc_complete"), false)
      assert.strictEqual((yield* voice.read(id)).headers.get("etag"), (yield* voice.read(id)).headers.get("etag"))
    })))

  it.effect("suggests the newest KYC of the same person in the partner's subtree, but never the disbursement", () =>
    withServer(Effect.gen(function*() {
      const [root, a, aa, b] = yield* storeForest([null, 0, 1, 0])
      const voice = yield* givenVoice(root)
      const { customer, id } = yield* givenOpened(voice, { partner_id: aa.partner_id })
      yield* voice.submit(id, aCompleteKyc({ mother_name: "Rita Exemplo", bank: exampleBank }).for(customer).build())
      const suggested = Effect.fnUntraced(function*(partner: { readonly partner_id: string }) {
        const { birth_date, cpf } = customer
        const other = yield* givenAgain(voice, { birth_date, cpf, name: null }, { partner_id: partner.partner_id })
        return told(yield* voice.kyc(other), "mother_name", "name", "disbursement_method", "pix", "bank", "status")
      })
      const nobody = [null, null, null, null, null, "PREFILLED"]
      const known = ["Rita Exemplo", customer.name, null, null, null, "PREFILLED"]
      assert.deepStrictEqual(yield* suggested(a), known)
      assert.deepStrictEqual(yield* suggested(aa), known)
      assert.deepStrictEqual(yield* suggested(b), nobody, "a sibling's, though the reader sees both")
      assert.deepStrictEqual(yield* suggested(root), known)
    })))

  it.effect("KYC-12 suggests nothing to a caller with the CPF and a wrong birth date", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const { customer, id } = yield* givenOpened(voice)
      yield* voice.submit(id, aCompleteKyc().for(customer).build())
      const birth_date = addDays(calendarDate(customer.birth_date), 1)
      const other = yield* givenAgain(voice, { birth_date, cpf: customer.cpf, name: null, email: null, phone: null })
      const read = yield* voice.kyc(other)
      assert.deepStrictEqual(at(read, "prefilled_fields"), ["cpf", "birth_date"])
      assert.deepStrictEqual(told(read, "name", "mother_name", "address", "email"), [null, null, null, null])
    })))

  it.effect("merges field by field; null clears, and an empty group is removed", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      const first = yield* voice.submit(id, {
        nationality: " Brasileira ",
        address: { zipcode: "01310-100", uf: "sp" },
        pix: { type: "PHONE", key: "(11) 98765-4321" }
      })
      assert.deepStrictEqual([first.status, at(first, "status"), at(first, "prefilled_fields")], [200, "PARTIAL", []])
      assert.deepInclude(Object(at(first, "address")), { zipcode: "01310100", uf: "SP", city: null })
      assert.deepStrictEqual(at(first, "pix"), { type: "PHONE", key: "+5511987654321" })
      assert.isNull(at(first, "name"), "suggestions end with the first submission")
      const second = yield* voice.submit(id, {
        address: { zipcode: null, city: "Santos" },
        nationality: null,
        pix: null
      })
      assert.deepInclude(Object(at(second, "address")), { zipcode: null, uf: "SP", city: "Santos" })
      assert.deepStrictEqual(told(second, "nationality", "pix"), [null, null])
      const last = yield* voice.submit(id, { address: { uf: null, city: null } })
      assert.deepStrictEqual(told(last, "address", "status"), [null, "EMPTY"])
      assert.strictEqual((yield* voice.kyc(id)).text, last.text)
    })))

  it.effect("accepts the answer of a read, edited or not", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { customer, id, kyc } = yield* givenOpened(voice)
      const sent = yield* voice.submit(id, { ...Object((yield* voice.kyc(id)).body), mother_name: "Rita Exemplo" })
      assert.deepStrictEqual(told(sent, "status", "cpf", "mother_name"), ["PARTIAL", customer.cpf, "Rita Exemplo"])
      const whole = yield* voice.submit(id, { ...kyc, complete: false, missing_fields: 7, status: "LOCKED" })
      assert.deepStrictEqual(told(whole, "status", "complete", "missing_fields"), ["COMPLETE", true, []])
      const read = yield* voice.kyc(id)
      assert.deepStrictEqual([read.text, read.headers.get("etag")], [whole.text, whole.headers.get("etag")])
      assert.strictEqual((yield* voice.submit(id, read.body)).text, read.text)
      assert.deepStrictEqual(told(yield* voice.read(id), "kyc_complete"), [true])
    })))

  it.effect("reports every invalid field at once", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      const refused = yield* voice.submit(id, {
        name: "A",
        cpf: "52998224726",
        birth_date: "1990-02-30",
        gender: "X",
        civil_status: "single",
        mother_name: "Rita\u0000",
        nationality: "B",
        document: { type: "CPF", number: "", issuer: "S", uf: "XX", issued_at: "2026-02-01", front: 1 },
        email: "nobody",
        phone: "1",
        is_pep: "no",
        address: { zipcode: "1", uf: "ZZ", city: "", neighborhood: 1, street: [], number: {}, complement: "" },
        disbursement_method: "TED",
        pix: { type: "CPF", key: "11987654321" },
        bank: {
          bank_code: "1",
          account_type: "CX",
          agency: "12345",
          agency_digit: "AB",
          account_number: "x",
          account_digit: "?"
        },
        income: 1,
        __proto__: { polluted: true },
        constructor: { prototype: { polluted: true } }
      })
      assert.strictEqual(refused.status, 422)
      assert.deepStrictEqual(problemsOf(refused), [
        "address.city TOO_SHORT",
        "address.complement TOO_SHORT",
        "address.neighborhood INVALID_TYPE",
        "address.number INVALID_TYPE",
        "address.street INVALID_TYPE",
        "address.uf UNKNOWN_VALUE",
        "address.zipcode INVALID_FORMAT",
        "bank.account_digit INVALID_FORMAT",
        "bank.account_number INVALID_FORMAT",
        "bank.account_type UNKNOWN_VALUE",
        "bank.agency TOO_LONG",
        "bank.agency_digit INVALID_FORMAT",
        "bank.bank_code INVALID_FORMAT",
        "birth_date INVALID_FORMAT",
        "civil_status UNKNOWN_VALUE",
        "constructor UNKNOWN_FIELD",
        "cpf INVALID_CHECK_DIGIT",
        "disbursement_method UNKNOWN_VALUE",
        "document.front UNKNOWN_FIELD",
        "document.issued_at OUT_OF_RANGE",
        "document.issuer TOO_SHORT",
        "document.number TOO_SHORT",
        "document.type UNKNOWN_VALUE",
        "document.uf UNKNOWN_VALUE",
        "email INVALID_FORMAT",
        "gender UNKNOWN_VALUE",
        "income UNKNOWN_FIELD",
        "is_pep INVALID_TYPE",
        "mother_name INVALID_FORMAT",
        "name TOO_SHORT",
        "nationality TOO_SHORT",
        "phone INVALID_FORMAT",
        "pix.key INVALID_CHECK_DIGIT"
      ])
      assert.strictEqual(Reflect.get({}, "polluted"), undefined)
      assert.strictEqual(at(yield* voice.kyc(id), "status"), "PREFILLED", "nothing was stored")
    })))

  it.effect("rejects the data of another person without revealing the customer's", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { customer, id } = yield* givenOpened(voice)
      const refused = yield* voice.submit(id, {
        cpf: "52998224725",
        birth_date: "1990-05-18",
        pix: { type: "CPF", key: "52998224725" },
        document: { issued_at: "1990-05-16" }
      })
      assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [
        422,
        "birth_date MISMATCH",
        "cpf MISMATCH",
        "document.issued_at OUT_OF_RANGE",
        "pix.key MISMATCH"
      ])
      for (const secret of [customer.cpf, customer.birth_date, "52998224725"]) assert.notInclude(refused.text, secret)
      const future = yield* voice.submit(id, { document: { issued_at: "2026-02-01" } })
      assert.deepStrictEqual(at(future, "error", "details", 0, "params"), { max: "2026-01-31" })
      assert.strictEqual(at(future, "error", "details", 0, "message"), "The value must be at most 2026-01-31.")
    })))

  it.effect("a PIX type without a key does not reinterpret the stored key", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      yield* voice.submit(id, { pix: { key: "11912345684" } })
      const read = yield* voice.submit(id, { pix: { type: "PHONE" } })
      assert.deepStrictEqual([read.status, ...problemsOf(read)], [422, "pix.key INVALID_FORMAT"])
      const both = yield* voice.submit(id, { pix: { type: "PHONE", key: "11912345684" } })
      assert.deepStrictEqual(at(both, "pix"), { type: "PHONE", key: "+5511912345684" })
    })))

  it.effect("requires kyc:read", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { id } = yield* givenOpened(yield* givenVoice(root))
      const viewer = yield* givenVoice(root, "viewer")
      assert.strictEqual(codeOf(yield* viewer.kyc(id)), "PERMISSION_DENIED")
      assert.strictEqual(codeOf(yield* viewer.submit(id, {})), "PERMISSION_DENIED")
      const blind = yield* givenVoice(root, "operator", ["fgts:write"])
      assert.strictEqual(codeOf(yield* blind.kyc(id)), "PERMISSION_DENIED")
    })))

  it.effect("KYC-10 a caller without kyc:read receives the status of the KYC and none of its data", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const blind = yield* givenVoice(root, "operator", ["fgts:write"])
      const { customer, id: known } = yield* givenOpened(voice)
      const kyc = aCompleteKyc({ mother_name: "Rita Exemplo", bank: exampleBank }).for(customer).build()
      yield* voice.submit(known, kyc)
      const id = yield* givenAgain(voice, { cpf: customer.cpf })
      const suggested = yield* voice.kyc(id)
      assert.strictEqual(at(suggested, "mother_name"), kyc.mother_name, "the suggestion has data")
      const assertMasked = (reply: Reply, expected: object) =>
        assert.deepStrictEqual([reply.status, reply.body], [200, {
          ...emptyKyc,
          prefilled_fields: [],
          next_action: "WAIT",
          ...expected
        }])
      const missing_fields = at(suggested, "missing_fields")
      assertMasked(yield* blind.submit(id, {}), { status: "PREFILLED", complete: false, missing_fields })
      yield* voice.submit(id, { ...kyc, name: null })
      const partly = { status: "PARTIAL", complete: false, missing_fields: ["name"] }
      assertMasked(yield* blind.submit(id, {}), partly)
      assertMasked(yield* blind.submit(id, { civil_status: "WIDOWED" }), partly)
      assertMasked(yield* blind.submit(id, { name: "Ana Souza" }), {
        status: "COMPLETE",
        complete: true,
        missing_fields: []
      })
      assert.deepStrictEqual(told(yield* voice.kyc(id), "cpf", "name", "civil_status"), [
        customer.cpf,
        "Ana Souza",
        "WIDOWED"
      ])
    })))

  it.effect("T63 KYC-11 a caller without kyc:read cannot confirm a guess of a masked CPF by submitting it", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const blind = yield* givenVoice(root, "operator", ["fgts:write", "fgts:read"])
      const { customer, id } = yield* givenOpened(voice)
      const guesses = [customer.cpf, "52998224725"]
      for (const cpf of guesses) {
        const bodies = [{ cpf }, { pix: { type: "CPF", key: cpf } }, { name: "Ana Souza", cpf }]
        for (const body of bodies) {
          assert.strictEqual(codeOf(yield* blind.submit(id, body)), "PERMISSION_DENIED", JSON.stringify(body))
        }
      }
      assert.strictEqual((yield* blind.submit(id, { pix: { key: customer.cpf } })).status, 200)
      assert.strictEqual(codeOf(yield* blind.submit(id, { pix: { type: "CPF" } })), "PERMISSION_DENIED")
      assert.strictEqual((yield* blind.submit(id, { pix: { type: "EMAIL", key: "ana@example.com" } })).status, 200)
      const own = yield* givenOpened(blind)
      assert.strictEqual((yield* blind.submit(own.id, { cpf: own.customer.cpf })).status, 200)
    })))
})
