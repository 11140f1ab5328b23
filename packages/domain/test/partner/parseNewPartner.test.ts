import { assert, describe, it } from "@effect/vitest"
import { createPartnerBody } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { judgeDocument, parseNewPartner } from "../../src/partner/parseNewPartner.ts"
import { expectProblems, listProblems } from "../input/problems.ts"

const partner = {
  type: "pj",
  name: "Ana Ltda",
  email: "ana@example.com",
  phone: "11987654321",
  document_number: "11222333000181"
}

describe("parseNewPartner", () => {
  it("PARTNER-01 a natural person requires a CPF and a legal entity a CNPJ", () => {
    expectProblems(parseNewPartner({ partner }), [])
    expectProblems(parseNewPartner({ partner: { ...partner, type: "pf", document_number: "529.982.247-25" } }), [])
    expectProblems(parseNewPartner({ partner: { ...partner, type: "pf" } }), ["partner.document_number INVALID_FORMAT"])
    expectProblems(parseNewPartner({ partner: { ...partner, document_number: "52998224725" } }), [
      "partner.document_number INVALID_FORMAT"
    ])
    expectProblems(parseNewPartner({ partner: { ...partner, document_number: "11222333000182" } }), [
      "partner.document_number INVALID_CHECK_DIGIT"
    ])
  })

  it("PARTNER-01 without a type or a document, only the missing field is reported", () => {
    for (const type of [undefined, null, "px", 1]) assert.deepStrictEqual(judgeDocument(type, "1"), Result.void)
    for (const document of [undefined, null, 1, {}]) assert.deepStrictEqual(judgeDocument("pf", document), Result.void)
  })

  it("PARTNER-01 reports every problem of the body at once, each field once", () => {
    expectProblems(
      parseNewPartner({
        partner: { type: "pf", name: "", email: null, phone: 5, document_number: "52998224724", parent_uuid: "x" },
        pix: { type: "CPF", key: "1" },
        address: { uf: "SP" },
        bank_account: {},
        status: "active"
      }),
      [
        "partner.name TOO_SHORT",
        "partner.email REQUIRED",
        "partner.phone INVALID_TYPE",
        "partner.document_number INVALID_CHECK_DIGIT",
        "partner.parent_uuid INVALID_FORMAT",
        "pix.key INVALID_FORMAT",
        ...(["zipcode", "city", "neighborhood", "street", "number"] as const).map((name) =>
          `address.${name} REQUIRED` as const
        ),
        ...(["type", "agency", "bank_code", "account_number"] as const).map((name) =>
          `bank_account.${name} REQUIRED` as const
        ),
        "status UNKNOWN_FIELD"
      ]
    )
    expectProblems(parseNewPartner({}), ["partner REQUIRED"])
    expectProblems(
      parseNewPartner({ partner: {} }),
      (["type", "name", "email", "phone", "document_number"] as const).map((name) =>
        `partner.${name} REQUIRED` as const
      )
    )
  })

  it("INPUT-03 null counts as an absent field", () => {
    expectProblems(parseNewPartner({ partner, pix: null, address: null, bank_account: null }), [])
    assert.deepStrictEqual(
      parseNewPartner({ partner: { ...partner, parent_uuid: null } }),
      parseNewPartner({ partner })
    )
  })

  it("T25 rejects fields that only the system sets", () => {
    for (const name of ["partner_id", "status", "created_at", "parent_id", "person_type"]) {
      assert.deepStrictEqual(listProblems(parseNewPartner({ partner, [name]: "x" })), [`${name} UNKNOWN_FIELD`])
      assert.deepStrictEqual(listProblems(parseNewPartner({ partner: { ...partner, [name]: "x" } })), [
        `partner.${name} UNKNOWN_FIELD`
      ])
    }
  })

  it("canonical bodies parse to themselves", () => {
    fc.assert(
      fc.property(
        createPartnerBody,
        (body) => assert.deepStrictEqual<unknown>(parseNewPartner(body), Result.succeed(body))
      ),
      { numRuns: examples(1_000) }
    )
  })
})
