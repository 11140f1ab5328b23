import { assert, describe, it } from "@effect/vitest"
import { partnerDetail, userDetail } from "@lastro/testkit"
import { type Schema } from "effect"
import * as fc from "fast-check"
import { maskPersonalData } from "../../src/audit/maskPersonalData.ts"
import { wholePartner } from "../partner/examples.ts"
import { storedUser } from "../user/examples.ts"

/** Every text that stands under one of `names`, at any depth, with the name. */
const texts = (value: Schema.Json, name = ""): ReadonlyArray<readonly [name: string, text: string]> =>
  typeof value === "string"
    ? [[name, value]]
    : typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => texts(inner, Array.isArray(value) ? name : key))

/** What the audit may show as it is: ids, states, instants and what is the same for many. */
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
  "uf",
  "bank_code",
  "created_at"
])

describe("maskPersonalData", () => {
  it("AUDIT-01 masks a partner", () => {
    assert.deepStrictEqual<unknown>(maskPersonalData(wholePartner), {
      ...wholePartner,
      name: "A***a",
      email: "a***m",
      phone: "1***1",
      document_number: "1***1",
      pix: { key: "5***5", type: "CPF" },
      address: {
        zipcode: "0***0",
        uf: "SP",
        city: "S***o",
        district: "C***o",
        neighborhood: "***",
        street: "***",
        number: "***",
        complement: "A***1"
      },
      bank_account: {
        ...wholePartner.bank_account,
        agency: "***",
        agency_digit: "***",
        account_number: "***",
        account_digit: "***"
      }
    })
  })

  it("AUDIT-01 masks a user, and the partners it is tied to", () => {
    assert.deepStrictEqual<unknown>(maskPersonalData(storedUser), {
      ...storedUser,
      name: "A***a",
      email: "a***m",
      phone: "1***1",
      cpf: "5***5",
      partners: [{ partner_id: storedUser.partner_id, name: "A***a" }]
    })
  })

  it("AUDIT-01 shows at most the first and the last character, and only where four lie between", () => {
    const masked = (name: string) => maskPersonalData({ name })
    assert.deepStrictEqual(masked(""), { name: "***" })
    assert.deepStrictEqual(masked("abcde"), { name: "***" })
    assert.deepStrictEqual(masked("abcdef"), { name: "a***f" })
    assert.deepStrictEqual(masked("😀bcde😎"), { name: "😀***😎" })
  })

  it("AUDIT-01 no personal text of any partner or user is left as it is", () => {
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
      { numRuns: 1_000 }
    )
  })

  it("AUDIT-01 leaves numbers, null and structure alone", () => {
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
