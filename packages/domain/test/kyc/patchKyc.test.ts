import { assert, describe, it } from "@effect/vitest"
import { emptyKyc } from "../../src/kyc/KycValues.ts"
import { completeKyc } from "../loan/examples.ts"
import { checkProblems, submitBody } from "./kycs.ts"

describe("partial KYC submission", () => {
  it("KYC-06 absent fields are kept, present ones are parsed and null clears", () => {
    for (const body of [{}, { address: {} }, { bank: {}, pix: {} }]) {
      assert.deepStrictEqual(submitBody(body), completeKyc)
    }
    assert.deepStrictEqual(submitBody({ name: " Ana " }), { ...completeKyc, name: "Ana" })
    assert.deepStrictEqual(submitBody({ name: null, pix: null }), { ...completeKyc, name: null, pix: null })
    assert.deepStrictEqual(submitBody({ name: "Ana" }, null), { ...emptyKyc, name: "Ana" })
    assert.deepStrictEqual(submitBody(Object.fromEntries(Object.keys(emptyKyc).map((name) => [name, null]))), emptyKyc)
  })

  it("KYC-06 groups merge field by field, even into null; a group without values becomes null", () => {
    const { address, bank, document } = completeKyc
    assert.deepStrictEqual(submitBody({ address: { city: "Campinas" } }).address, { ...address, city: "Campinas" })
    assert.deepStrictEqual(submitBody({ address: { complement: null } }).address, { ...address, complement: null })
    assert.deepStrictEqual(submitBody({ document: { uf: "rj" } }).document, { ...document, uf: "RJ" })
    assert.deepStrictEqual(submitBody({ bank: { agency: "12" } }).bank, { ...bank, agency: "12" })
    const nothing = Object.fromEntries(Object.keys(address).map((name) => [name, null]))
    assert.deepStrictEqual<unknown>(submitBody({ address: { uf: "SP" } }, null).address, { ...nothing, uf: "SP" })
    assert.isNull(submitBody({ address: nothing }).address)
    assert.isNull(submitBody({ address: nothing }, null).address)
    assert.isNull(submitBody({ pix: { type: null, key: null } }).pix)
  })

  it("KYC-06 derived KYC fields are ignored; other unknown fields are rejected", () => {
    const findings = { complete: true, missing_fields: 7, status: { x: 1 }, prefilled_fields: ["name"] }
    assert.deepStrictEqual(submitBody({ ...findings, name: "Ana" }), { ...completeKyc, name: "Ana" })
    const strange = [
      "own_cpf",
      "own_birth_date",
      "own_key",
      "issued_at",
      "key",
      "strange",
      "toString",
      "application_id"
    ]
    for (const name of strange) checkProblems({ [name]: null, name: "Ana" }, [`${name} UNKNOWN_FIELD`])
    checkProblems(JSON.parse(`{"__proto__": {"name": "Ana"}}`), ["__proto__ UNKNOWN_FIELD"])
    checkProblems({ address: { district: "Centro" }, document: { rg: 1 } }, [
      "address.district UNKNOWN_FIELD",
      "document.rg UNKNOWN_FIELD"
    ])
  })

  it("KYC-06 reports every problem at once, including consistency problems of valid fields", () => {
    checkProblems({
      name: "A",
      cpf: "11144477735",
      birth_date: "1991-01-01",
      gender: "X",
      civil_status: null,
      is_pep: "no",
      document: { issued_at: "2026-02-01", type: "PASSPORT", rg: 1 },
      email: "nobody",
      phone: "1",
      address: { uf: "XX", zipcode: "1" },
      disbursement_method: "CASH",
      pix: { type: "CPF", key: "11144477735", owner: "Ana" },
      bank: { bank_code: "1", agency: "12345" },
      salary: 1
    }, [
      "name TOO_SHORT",
      "cpf MISMATCH",
      "birth_date MISMATCH",
      "gender UNKNOWN_VALUE",
      "is_pep INVALID_TYPE",
      "document.type UNKNOWN_VALUE",
      "document.issued_at OUT_OF_RANGE",
      "document.rg UNKNOWN_FIELD",
      "email INVALID_FORMAT",
      "phone INVALID_FORMAT",
      "address.uf UNKNOWN_VALUE",
      "address.zipcode INVALID_FORMAT",
      "disbursement_method UNKNOWN_VALUE",
      "pix.key MISMATCH",
      "pix.owner UNKNOWN_FIELD",
      "bank.bank_code INVALID_FORMAT",
      "bank.agency TOO_LONG",
      "salary UNKNOWN_FIELD"
    ])
  })

  it("KYC-06 skips consistency checks that depend on invalid fields", () => {
    checkProblems({ pix: { type: "PIGEON", key: "11987654321" } }, ["pix.type UNKNOWN_VALUE"])
    checkProblems({ pix: { type: "PHONE", key: 11987654321 } }, ["pix.key INVALID_TYPE"])
    checkProblems({ document: { issued_at: "2026-02-30" } }, ["document.issued_at INVALID_FORMAT"])
  })

  it("KYC-06 rejects a body that is not an object", () => {
    checkProblems(null, [" NOT_NULLABLE"] as never)
    for (const body of [undefined, 1, "x", true, [completeKyc]]) checkProblems(body, [" INVALID_TYPE"] as never)
    checkProblems({ address: [], document: "RG", pix: 1, bank: true }, [
      "address INVALID_TYPE",
      "document INVALID_TYPE",
      "pix INVALID_TYPE",
      "bank INVALID_TYPE"
    ])
  })
})
