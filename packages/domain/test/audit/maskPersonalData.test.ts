import { assert, describe, it } from "@effect/vitest"
import { partnerDetail, userDetail } from "@lastro/testkit/arbitraries"
import { type Schema } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { maskPersonalData } from "../../src/audit/maskPersonalData.ts"
import { auditedFacts } from "../../src/origination/saveDecision.ts"
import { kycValues } from "../kyc/kycs.ts"
import { applyCommands, contractingApplication, noon, updateContract } from "../loan/examples.ts"
import { completePartner } from "../partner/examples.ts"
import { storedUser } from "../user/examples.ts"

/** All texts under one of `names`, at any depth, with their names. */
const texts = (value: Schema.Json, name = ""): ReadonlyArray<readonly [name: string, text: string]> =>
  typeof value === "string"
    ? [[name, value]]
    : typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
      texts(inner, Array.isArray(value) ? name : name === "document" ? `document.${key}` : key)
    )

/** Fields the audit may show unmasked: ids, statuses, instants and values shared by many people. */
const open = new Set([
  "partner_id",
  "user_id",
  "parent_id",
  "group_id",
  "slug",
  "label",
  "status",
  "person_type",
  "type",
  "bank_code",
  "created_at",
  "disbursement_method",
  "account_type"
])

describe("maskPersonalData", () => {
  it("AUDIT-01 masks a partner", () => {
    assert.deepStrictEqual<unknown>(maskPersonalData(completePartner), {
      ...completePartner,
      name: "A***a",
      email: "a***m",
      phone: "1***1",
      document_number: "***",
      pix: { key: "***", type: "CPF" },
      address: {
        zipcode: "0***0",
        uf: "***",
        city: "S***o",
        district: "C***o",
        neighborhood: "***",
        street: "***",
        number: "***",
        complement: "A***1"
      },
      bank_account: {
        ...completePartner.bank_account,
        agency: "***",
        agency_digit: "***",
        account_number: "***",
        account_digit: "***"
      },
      metadata: { plan: "***" }
    })
  })

  it("AUDIT-01 hides the values of metadata, whatever the keys are", () => {
    const metadata = Object.fromEntries([["__proto__", "a"], ["name", "Ana Maria"], ["empty", ""]])
    assert.deepStrictEqual<unknown>(
      maskPersonalData({ metadata }),
      { metadata: Object.fromEntries([["__proto__", "***"], ["name", "***"], ["empty", "***"]]) }
    )
  })

  it("AUDIT-01 masks a user and its partner memberships", () => {
    assert.deepStrictEqual<unknown>(maskPersonalData(storedUser), {
      ...storedUser,
      name: "A***a",
      email: "a***m",
      phone: "1***1",
      cpf: "***",
      partners: [{ partner_id: storedUser.partner_id, name: "A***a" }],
      metadata: { plan: "***" }
    })
  })

  it("AUDIT-01 masks the customer's identity, the disbursement account and the acceptance evidence of an application", () => {
    const contracted = applyCommands(contractingApplication(), updateContract("REJECTED"))
    assert.deepStrictEqual<unknown>(maskPersonalData(auditedFacts(contracted)), {
      external_id: "loan-4711",
      metadata: {},
      customer: { cpf: "***", birth_date: "1***7", name: "M***o", email: "m***m", phone: null },
      quote: { number: 1, outcome: "COMPLETED", rejection: null },
      kyc: {
        name: "M***o",
        cpf: "***",
        birth_date: "1***7",
        gender: "***",
        civil_status: "***",
        mother_name: "A***o",
        nationality: "B***a",
        document: { type: "***", number: "***", issuer: "***", uf: "***", issued_at: "2***4" },
        email: "m***m",
        phone: "1***1",
        is_pep: "***",
        address: {
          zipcode: "0***0",
          uf: "***",
          city: "S***o",
          neighborhood: "B***a",
          street: "A***a",
          number: "***",
          complement: "A***2"
        },
        disbursement_method: "PIX",
        pix: { type: "EMAIL", key: "***" },
        bank: {
          bank_code: "341",
          account_type: "CC",
          agency: "***",
          agency_digit: "***",
          account_number: "1***7",
          account_digit: "***"
        }
      },
      proposal: {
        proposal_id: contracted.proposal?.proposal_id,
        offer_id: contracted.proposal?.offer_id,
        status: "REJECTED",
        acceptance: { accepted_at: noon, ip: "2***7", user_agent: "M***0" },
        rejection: "KYC_REJECTED",
        disbursement_attempt: 1
      }
    })
    assert.deepStrictEqual(maskPersonalData({ signature_url: "https://lender.example/sign/1" }), {
      signature_url: "h***1"
    })
  })

  it("AUDIT-01 hides the note of a cancellation, and keeps values that are masked already", () => {
    const once = maskPersonalData({
      cancellation_reason: "OTHER",
      cancellation_note: "Ana called",
      name: "Ana Lima",
      pix: { type: "EMAIL", key: "ana@example.com" }
    })
    assert.deepStrictEqual<unknown>(once, {
      cancellation_reason: "OTHER",
      cancellation_note: "***",
      name: "A***a",
      pix: { type: "EMAIL", key: "***" }
    })
    fc.assert(fc.property(fc.oneof(partnerDetail, userDetail, kycValues), (record) => {
      const masked = maskPersonalData(JSON.parse(JSON.stringify(record)) as Schema.Json)
      assert.deepStrictEqual(maskPersonalData(masked), masked)
    }))
  })

  it("AUDIT-01 sensitive yes and no answers look alike; only a missing answer is visible", () => {
    const masked = [true, false, null].map((is_pep) => maskPersonalData({ is_pep }))
    assert.deepStrictEqual(masked, [{ is_pep: "***" }, { is_pep: "***" }, { is_pep: null }])
  })

  it("AUDIT-01 masks all personal text of any KYC", () => {
    fc.assert(
      fc.property(kycValues, (kyc) => {
        const { is_pep: _is_pep, ...rest } = kyc
        const before = texts({ ...rest })
        for (const [index, [name, shown]] of texts(maskPersonalData({ ...rest })).entries()) {
          if (open.has(name)) assert.strictEqual(shown, before[index]?.[1])
          else assert.match(shown, /^(?:\*{3}|.\*{3}.)$/su, name)
        }
      }),
      { numRuns: examples(500) }
    )
  })

  it("AUDIT-01 shows at most the first and last character, and only if at least four lie between them", () => {
    const masked = (name: string) => maskPersonalData({ name })
    assert.deepStrictEqual(masked(""), { name: "***" })
    assert.deepStrictEqual(masked("abcde"), { name: "***" })
    assert.deepStrictEqual(masked("abcdef"), { name: "a***f" })
    assert.deepStrictEqual(masked("😀bcde😎"), { name: "😀***😎" })
  })

  it("AUDIT-01 masks all personal text of any partner or user", () => {
    fc.assert(
      fc.property(fc.oneof(partnerDetail, userDetail), (record) => {
        const before = texts(record)
        const after = texts(maskPersonalData(record))
        assert.strictEqual(after.length, before.length)
        for (const [index, [name, shown]] of after.entries()) {
          if (open.has(name)) assert.strictEqual(shown, before[index]?.[1])
          else assert.match(shown, /^(?:\*{3}|.\*{3}.)$/su, name)
        }
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("AUDIT-01 keeps numbers, null and structure", () => {
    for (const value of [null, 1, true, "text", [], {}, { a: [{ b: null }] }]) {
      assert.deepStrictEqual(maskPersonalData(value), value)
    }
    assert.deepStrictEqual(maskPersonalData({ number: 3, complement: null, key: ["x"] }), {
      number: 3,
      complement: null,
      key: ["x"]
    })
  })
})
