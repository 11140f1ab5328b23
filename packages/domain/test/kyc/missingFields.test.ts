import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import * as fc from "fast-check"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { isComplete, missingFields } from "../../src/kyc/missingFields.ts"
import { completeKyc } from "../loan/examples.ts"
import { kycValues } from "./kycs.ts"

/** All leaves by path, as in the contract. */
const leaves = [
  "name",
  "cpf",
  "birth_date",
  "gender",
  "civil_status",
  "mother_name",
  "nationality",
  "email",
  "phone",
  "is_pep",
  "disbursement_method",
  ...["type", "number", "issuer", "uf", "issued_at"].map((field) => `document.${field}`),
  ...["zipcode", "uf", "city", "neighborhood", "street", "number", "complement"].map((field) => `address.${field}`),
  ...["type", "key"].map((field) => `pix.${field}`),
  ...["bank_code", "account_type", "agency", "agency_digit", "account_number", "account_digit"].map((field) =>
    `bank.${field}`
  )
]

const isOptional = (path: string, { disbursement_method }: KycValues): boolean =>
  ["address.complement", "bank.agency_digit", "bank.account_digit"].includes(path) ||
  (path.startsWith("pix.") && disbursement_method !== "PIX") ||
  (path.startsWith("bank.") && disbursement_method !== "BANK_TRANSFER")

const isPresent = (values: KycValues, path: string): boolean => {
  const value = path.split(".").reduce<unknown>(
    (whole, key) => Predicate.isReadonlyObject(whole) ? whole[key] : null,
    values
  )
  return value !== null && value !== undefined
}

/** The missing fields, computed leaf by leaf. */
const bruteForce = (values: KycValues): ReadonlyArray<string> =>
  leaves.filter((path) => !isPresent(values, path) && !isOptional(path, values))

const without = (values: KycValues, path: string): KycValues => {
  const [name = "", field] = path.split(".")
  if (field === undefined) return { ...values, [name]: null }
  const group: unknown = Reflect.get(values, name)
  return { ...values, [name]: Predicate.isReadonlyObject(group) ? { ...group, [field]: null } : group }
}

describe("missingFields", () => {
  it("KYC-01 a complete KYC lacks nothing; an empty KYC lacks every field that no method requires", () => {
    assert.deepStrictEqual(missingFields(completeKyc, undefined), [])
    assert.isTrue(isComplete(completeKyc, undefined))
    assert.deepStrictEqual(missingFields(emptyKyc, undefined), bruteForce(emptyKyc))
    assert.deepStrictEqual(missingFields({ ...completeKyc, disbursement_method: null }, undefined), [
      "disbursement_method"
    ])
  })

  it("KYC-01 each required leaf is reported when it is absent, for both disbursement methods", () => {
    for (const disbursement_method of ["PIX", "BANK_TRANSFER"] as const) {
      const whole: KycValues = { ...completeKyc, disbursement_method }
      for (const path of leaves.filter((leaf) => leaf !== "disbursement_method")) {
        assert.deepStrictEqual(missingFields(without(whole, path), undefined), isOptional(path, whole) ? [] : [path])
      }
    }
  })

  it("KYC-01 an absent group lacks all its required leaves, and false counts as an answer", () => {
    assert.deepStrictEqual(missingFields({ ...completeKyc, pix: null }, undefined), ["pix.type", "pix.key"])
    assert.deepStrictEqual(
      missingFields({ ...completeKyc, bank: null, disbursement_method: "BANK_TRANSFER" }, undefined),
      [
        "bank.bank_code",
        "bank.account_type",
        "bank.agency",
        "bank.account_number"
      ]
    )
    assert.strictEqual(missingFields({ ...completeKyc, address: null }, undefined).length, 6)
    assert.strictEqual(missingFields({ ...completeKyc, document: null }, undefined).length, 5)
    assert.isTrue(isComplete({ ...completeKyc, is_pep: false }, undefined))
  })

  it("KYC-01 missing fields equal a brute-force enumeration, each once", () => {
    let complete = 0
    const almostWhole = fc.tuple(fc.constantFrom("PIX", "BANK_TRANSFER"), fc.constantFrom(...leaves)).map(
      ([disbursement_method, path]) => without({ ...completeKyc, disbursement_method }, path)
    )
    fc.assert(
      fc.property(fc.oneof(kycValues, almostWhole), (values) => {
        const missing = missingFields(values, undefined)
        assert.deepStrictEqual(missing.toSorted(), bruteForce(values).toSorted())
        assert.strictEqual(new Set(missing).size, missing.length)
        assert.strictEqual(isComplete(values, undefined), missing.length === 0)
        if (isComplete(values, undefined)) complete += 1
      }),
      { numRuns: 500 }
    )
    assert.isAbove(complete, 20)
  })
})
