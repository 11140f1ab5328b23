import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { permissions } from "../../src/access/Permission.ts"
import { personalDataView } from "../../src/access/PersonalDataView.ts"
import { disbursementOf } from "../../src/kyc/Disbursement.ts"
import { type FgtsKyc, fgtsKyc, maskKyc } from "../../src/kyc/FgtsKyc.ts"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { isComplete, missingFields } from "../../src/kyc/missingFields.ts"
import { isOwnKyc, isSamePerson, prefill, submittedFields } from "../../src/kyc/prefill.ts"
import { fgtsApplication } from "../../src/origination/FgtsApplication.ts"
import { makeCaller } from "../hierarchy/callers.ts"
import { applyCommands, completeKyc, contractingApplication, customer, noon, updateContract } from "../loan/examples.ts"
import { kycValues, withKyc } from "./kycs.ts"

const anonymous = { ...customer, name: null, email: null, phone: null }
const readKyc = (kyc: KycValues | null, suggested: KycValues = emptyKyc): FgtsKyc => fgtsKyc(withKyc(kyc), suggested)

describe("FgtsKyc", () => {
  it("KYC-04 the status reports how complete it is", () => {
    const suggested = prefill(customer, completeKyc)
    const statuses = [
      readKyc(null),
      readKyc(null, suggested),
      readKyc({ ...emptyKyc, is_pep: false }, suggested),
      readKyc(completeKyc),
      readKyc(emptyKyc, suggested),
      fgtsKyc(contractingApplication(), emptyKyc),
      fgtsKyc(applyCommands(contractingApplication(), updateContract("DISBURSEMENT_FAILED")), emptyKyc),
      fgtsKyc(applyCommands(contractingApplication(), updateContract("PAID")), emptyKyc)
    ].map(({ status }) => status)
    assert.deepStrictEqual(statuses, [
      "EMPTY",
      "PREFILLED",
      "PARTIAL",
      "COMPLETE",
      "EMPTY",
      "LOCKED",
      "LOCKED",
      "LOCKED"
    ])
  })

  it("KYC-04 completeness counts submitted fields only, never suggestions", () => {
    fc.assert(
      fc.property(fc.option(kycValues), kycValues, (submitted, known) => {
        const suggested = prefill(customer, { ...completeKyc, ...known })
        const read = readKyc(submitted, suggested)
        assert.deepStrictEqual(read.missing_fields, missingFields(submitted ?? emptyKyc, undefined))
        assert.strictEqual(read.complete, isComplete(submitted ?? emptyKyc, undefined))
        assert.deepStrictEqual(read.prefilled_fields, submitted === null ? submittedFields(suggested) : [])
        const {
          complete: _complete,
          missing_fields: _missing,
          prefilled_fields: _prefilled,
          status: _status,
          ...values
        } = read
        assert.deepStrictEqual<unknown>(values, submitted ?? suggested)
      }),
      { numRuns: 300 }
    )
  })

  it("KYC-05 suggestions come from the application first, then from the newest KYC, never for the disbursement account", () => {
    fc.assert(
      fc.property(kycValues, fc.constantFrom(customer, anonymous), (known, person) => {
        const suggested = prefill(person, known)
        assert.isNull(suggested.disbursement_method)
        assert.isNull(suggested.pix)
        assert.isNull(suggested.bank)
        assert.isFalse(submittedFields(suggested).some((path) => /^(?:pix|bank|disbursement)/.test(path)))
        for (const name of ["name", "email", "phone"] as const) {
          assert.strictEqual(suggested[name], person[name] ?? known[name])
        }
        assert.strictEqual(suggested.cpf, person.cpf)
        assert.strictEqual(suggested.birth_date, person.birth_date)
        for (const name of ["gender", "mother_name", "document", "address", "is_pep"] as const) {
          assert.deepStrictEqual<unknown>(suggested[name], known[name])
        }
      }),
      { numRuns: 300 }
    )
    assert.deepStrictEqual(prefill(anonymous), { ...emptyKyc, cpf: anonymous.cpf, birth_date: anonymous.birth_date })
  })

  it("KYC-12 a person is the same only if both CPF and birth date are equal", () => {
    const cpfs = ["52998224725", "11144477735"].map((cpf) => cpf as typeof customer.cpf)
    const dates = ["1990-05-17", "1990-05-18"].map((date) => date as typeof customer.birth_date)
    const people = cpfs.flatMap((cpf) => dates.map((birth_date) => ({ cpf, birth_date })))
    for (const one of people) for (const other of people) assert.strictEqual(isSamePerson(one, other), one === other)
  })

  it("KYC-12 a KYC with another CPF or birth date than the customer's is not the customer's own", () => {
    const { birth_date, cpf } = customer
    assert.isTrue(isOwnKyc(customer, { ...completeKyc, cpf, birth_date }))
    assert.isTrue(isOwnKyc(customer, { ...completeKyc, cpf: null, birth_date: null }))
    assert.isFalse(isOwnKyc(customer, { ...completeKyc, cpf, birth_date: "1950-01-01" as typeof birth_date }))
    assert.isFalse(isOwnKyc(customer, { ...completeKyc, cpf: "11144477735" as typeof cpf, birth_date }))
  })

  it("KYC-05 prefilled fields are listed leaf by leaf, and false counts as an answer", () => {
    assert.deepStrictEqual(submittedFields(emptyKyc), [])
    const some: KycValues = { ...emptyKyc, is_pep: false, pix: { type: "EVP", key: null }, name: "Ana" }
    assert.deepStrictEqual(submittedFields(some), ["name", "is_pep", "pix.type"])
    assert.strictEqual(submittedFields(completeKyc).length, 11 + 5 + 7 + 2 + 6)
  })
})

describe("visibility", () => {
  it("KYC-03 CPF, PIX key and account are unmasked only with permission to read KYC", () => {
    for (const permission of permissions) {
      const view = personalDataView(makeCaller({ permissions: new Set([permission]) }))
      assert.strictEqual(view, permission === "kyc:read" ? "full" : "masked")
    }
    assert.strictEqual(personalDataView(makeCaller({ permissions: new Set() })), "masked")
  })

  it("KYC-10 without permission to read KYC, only derived fields are visible", () => {
    fc.assert(
      fc.property(fc.option(kycValues), kycValues, (submitted, known) => {
        const read = fgtsKyc(withKyc(submitted), prefill(customer, known))
        assert.strictEqual(maskKyc("full")(read), read)
        const { complete, missing_fields, status } = read
        assert.deepStrictEqual(maskKyc("masked")(read), {
          ...emptyKyc,
          complete,
          missing_fields,
          status,
          prefilled_fields: []
        })
      }),
      { numRuns: 300 }
    )
  })

  it("KYC-03 an application shows its customer's CPF in full or masked", () => {
    const cpf = (view: "full" | "masked") => fgtsApplication(contractingApplication(), noon, view).customer.cpf
    assert.strictEqual(cpf("full"), "52998224725")
    assert.strictEqual(cpf("masked"), "***.982.247-**")
  })
})

describe("disbursement account", () => {
  it("KYC-08 contains the fields of the chosen method only", () => {
    assert.deepStrictEqual(disbursementOf(completeKyc), { method: "PIX", pix: completeKyc.pix, bank: null })
    assert.deepStrictEqual(disbursementOf({ ...completeKyc, disbursement_method: "BANK_TRANSFER" }), {
      method: "BANK_TRANSFER",
      pix: null,
      bank: completeKyc.bank
    })
  })

  it("KYC-08 every complete KYC has one; a KYC without one is a defect", () => {
    fc.assert(
      fc.property(kycValues, (some) => {
        const values = { ...completeKyc, ...some }
        if (isComplete(values, undefined)) assert.strictEqual(disbursementOf(values).method, values.disbursement_method)
      }),
      { numRuns: 300 }
    )
    assert.throws(() => disbursementOf(emptyKyc), RangeError)
    assert.throws(() => disbursementOf({ ...completeKyc, pix: null }), RangeError)
    assert.throws(
      () => disbursementOf({ ...completeKyc, disbursement_method: "BANK_TRANSFER", bank: null }),
      RangeError
    )
  })
})
