import { assert, describe, it } from "@effect/vitest"
import { lenderKycFields as lenderValues } from "@lastro/testkit/arbitraries"
import { Result, Struct } from "effect"
import * as fc from "fast-check"
import { type FgtsKyc, fgtsKyc, maskKyc } from "../../src/kyc/FgtsKyc.ts"
import {
  isSupportedMethod,
  kycForLender,
  type KycRequirements,
  type LenderKycField,
  lenderKycFields,
  missingLenderFields,
  requiredLenderFields
} from "../../src/kyc/KycRequirements.ts"
import { CivilStatus, DisbursementMethod, emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { missingFields } from "../../src/kyc/missingFields.ts"
import { ignoredFields, patchKyc } from "../../src/kyc/patchKyc.ts"
import { prefill } from "../../src/kyc/prefill.ts"
import { type Application } from "../../src/loan/Application.ts"
import { expectProblems } from "../input/problems.ts"
import { completeKyc, customer } from "../loan/examples.ts"
import { kycValues, today, withKyc } from "./kycs.ts"

const requirements: fc.Arbitrary<KycRequirements> = fc.record({
  kyc_fields: fc.subarray([...lenderKycFields]),
  disbursement_methods: fc.subarray([...DisbursementMethod.literals], { minLength: 1 })
})

const both = DisbursementMethod.literals

const requiring = (...kyc_fields: ReadonlyArray<LenderKycField>): KycRequirements => ({
  kyc_fields,
  disbursement_methods: both
})

const withRequirements = (kyc: KycValues | null, required: KycRequirements): Application => ({
  ...withKyc(kyc),
  requirements: required
})

const submit = (body: unknown, required: KycRequirements, kyc: KycValues | null = completeKyc): KycValues =>
  Result.getOrThrow(patchKyc(withRequirements(kyc, required), body, today))

/** KYC values that may contain additional fields. */
const anyKyc = fc.tuple(kycValues, lenderValues, fc.subarray([...lenderKycFields])).map(
  ([values, more, names]): KycValues => ({ ...values, ...Struct.pick(more, names) })
)

describe("lender requirements", () => {
  it("KYC-13 exactly the required additional fields without a value are missing", () => {
    fc.assert(fc.property(anyKyc, requirements, (values, required) => {
      const isMarried = values.civil_status === "MARRIED" || values.civil_status === "STABLE_UNION"
      const expected = required.kyc_fields.filter((name) =>
        values[name] === undefined && (name !== "spouse_name" || isMarried)
      )
      assert.sameMembers([...missingLenderFields(values, required)], expected)
      const missing = missingFields(values, required)
      for (const name of lenderKycFields) assert.strictEqual(missing.includes(name), expected.includes(name), name)
      assert.strictEqual(new Set(missing).size, missing.length)
    }))
    assert.deepStrictEqual(missingLenderFields(completeKyc, undefined), [])
    assert.deepStrictEqual(missingLenderFields({ ...completeKyc, documents: [] }, requiring("documents")), [
      "documents"
    ])
  })

  it("KYC-13 the name of the spouse is required only of customers who are married or live in a stable union", () => {
    for (const civil_status of [...CivilStatus.literals, null]) {
      assert.deepStrictEqual(
        missingLenderFields({ ...completeKyc, civil_status }, requiring("spouse_name")),
        civil_status === "MARRIED" || civil_status === "STABLE_UNION" ? ["spouse_name"] : [],
        civil_status ?? "none"
      )
    }
  })

  it("KYC-14 responses and submissions to the lender contain exactly the required additional fields", () => {
    fc.assert(fc.property(fc.option(anyKyc), anyKyc, requirements, (submitted, known, required) => {
      const shown = fgtsKyc(withRequirements(submitted, required), prefill(customer, known))
      const sent = kycForLender(submitted ?? emptyKyc, required)
      for (const name of lenderKycFields) {
        const isRequired = required.kyc_fields.includes(name)
        assert.strictEqual(Object.hasOwn(shown, name), isRequired, name)
        assert.strictEqual(Object.hasOwn(sent, name), isRequired, name)
        const suggested = name === "documents" ? null : known[name] ?? null
        if (isRequired) {
          assert.deepStrictEqual<unknown>(shown[name], submitted === null ? suggested : submitted[name] ?? null)
        }
        if (isRequired) assert.deepStrictEqual<unknown>(sent[name], submitted?.[name] ?? null)
      }
      assert.deepStrictEqual(
        shown.prefilled_fields.filter((name) => lenderKycFields.some((field) => name.startsWith(field))),
        submitted === null
          ? Struct.keys(shown).filter((name) => lenderKycFields.some((field) => field === name) && shown[name] !== null)
          : []
      )
    }))
    assert.deepStrictEqual(requiredLenderFields(completeKyc, undefined), {})
    assert.deepStrictEqual<unknown>(kycForLender(completeKyc, undefined), completeKyc)
  })

  it("KYC-05 documents are never suggested", () => {
    fc.assert(fc.property(kycValues, lenderValues, (known, more) => {
      const suggested = prefill(customer, { ...known, ...more })
      assert.isFalse(Object.hasOwn(suggested, "documents"))
      assert.strictEqual(suggested.profession, more.profession)
    }))
  })

  it("KYC-10 additional fields are hidden from a caller without permission to read KYC", () => {
    fc.assert(fc.property(anyKyc, requirements, (values, required) => {
      const masked: FgtsKyc = maskKyc("masked")(fgtsKyc(withRequirements(values, required), emptyKyc))
      for (const name of lenderKycFields) {
        assert.strictEqual(masked[name], required.kyc_fields.includes(name) ? null : undefined)
      }
    }))
  })

  it("KYC-15 a method that the lender does not support is refused, and counts as missing", () => {
    const onlyPix: KycRequirements = { kyc_fields: [], disbursement_methods: ["PIX"] }
    const body = { disbursement_method: "BANK_TRANSFER" }
    expectProblems(patchKyc(withRequirements(completeKyc, onlyPix), body, today), ["disbursement_method UNKNOWN_VALUE"])
    assert.strictEqual(submit({ disbursement_method: "PIX" }, onlyPix).disbursement_method, "PIX")
    const toBank: KycValues = { ...completeKyc, disbursement_method: "BANK_TRANSFER", bank: null }
    assert.deepStrictEqual(missingFields(toBank, onlyPix), ["disbursement_method"])
    // A stored method that the lender of a newer quote does not support blocks no other field.
    assert.strictEqual(submit({ nationality: "Portuguesa" }, onlyPix, toBank).nationality, "Portuguesa")
    assert.isTrue(isSupportedMethod(null, onlyPix))
    for (const method of both) assert.isTrue(isSupportedMethod(method, undefined))
  })

  it("KYC-16 an additional field that is not required is neither checked nor stored, whatever its value", () => {
    fc.assert(fc.property(fc.constantFrom(...lenderKycFields), fc.jsonValue(), (name, value) => {
      assert.deepStrictEqual(submit({ [name]: value }, requiring()), completeKyc)
      assert.deepStrictEqual(Result.getOrThrow(patchKyc(withKyc(completeKyc), { [name]: value }, today)), completeKyc)
      assert.isTrue(ignoredFields(requiring()).has(name))
      assert.isFalse(ignoredFields(requiring(name)).has(name))
    }))
  })

  it("KYC-06 KYC-14 a response can be edited and submitted: unchanged, it changes nothing", () => {
    fc.assert(fc.property(anyKyc, requirements, (values, required) => {
      const stored: KycValues = { ...values, disbursement_method: null }
      const read = fgtsKyc(withRequirements(stored, required), emptyKyc)
      const sent: unknown = JSON.parse(JSON.stringify(read))
      assert.deepStrictEqual(submit(sent, required, stored), stored)
    }))
  })

  it("KYC-06 required fields are stored as submitted; null and an empty list clear them", () => {
    fc.assert(fc.property(lenderValues, (values) => {
      const required = requiring(...lenderKycFields)
      const stored = submit(JSON.parse(JSON.stringify(values)), required)
      assert.deepStrictEqual<unknown>(stored, { ...completeKyc, ...values })
      assert.deepStrictEqual(missingFields(stored, required), [])
      const cleared = { profession: null, monthly_income: null, education: null, spouse_name: null, documents: [] }
      assert.deepStrictEqual(submit(cleared, required, stored), completeKyc)
    }))
  })

  it("malformed values are refused with their paths", () => {
    const required = requiring(...lenderKycFields)
    const body = {
      profession: "x",
      monthly_income: -1,
      education: "PHD",
      spouse_name: 5,
      documents: [{ kind: "PHOTO", reference: "" }, { kind: "SELFIE", reference: "a", sha256: "ABC", bytes: "…" }]
    }
    expectProblems(patchKyc(withRequirements(completeKyc, required), body, today), [
      "profession TOO_SHORT",
      "monthly_income OUT_OF_RANGE",
      "education UNKNOWN_VALUE",
      "spouse_name INVALID_TYPE",
      "documents[0].kind UNKNOWN_VALUE",
      "documents[0].reference TOO_SHORT",
      "documents[1].sha256 INVALID_FORMAT",
      "documents[1].bytes UNKNOWN_FIELD"
    ])
    expectProblems(patchKyc(withRequirements(null, required), { monthly_income: 1.005 }, today), [
      "monthly_income INVALID_FORMAT"
    ])
    const documents = Array.from({ length: 21 }, () => ({ kind: "OTHER", reference: "a" }))
    expectProblems(patchKyc(withRequirements(null, required), { documents }, today), ["documents TOO_LONG"])
  })
})
