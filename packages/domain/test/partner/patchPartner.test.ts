import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { patchPartner } from "../../src/partner/patchPartner.ts"
import { expectProblems, listProblems } from "../input/problems.ts"
import { barePartner, completePartner } from "./examples.ts"

const body = (field: string, value: unknown): unknown =>
  field.split(".").toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value)

interface Row {
  readonly field: string
  /** Effect of null on the field. */
  readonly nullable: boolean
  /** The stored value in written form, canonical or not. */
  readonly same: ReadonlyArray<unknown>
  /** Another value in written form with its canonical form; absent for an immutable field. */
  readonly other?: readonly [written: unknown, becomes: unknown]
  readonly wrong: readonly [text: string, code: string]
}

const rows: ReadonlyArray<Row> = [
  { field: "partner.type", nullable: false, same: ["pj"], wrong: ["pf", "IMMUTABLE"] },
  {
    field: "partner.document_number",
    nullable: false,
    same: ["11222333000181", "11.222.333/0001-81"],
    wrong: ["11444777000161", "IMMUTABLE"]
  },
  {
    field: "partner.name",
    nullable: false,
    same: ["Ana Ltda", " Ana Ltda "],
    other: [" Jose\u0301 ", "José"],
    wrong: ["x", "TOO_SHORT"]
  },
  {
    field: "partner.email",
    nullable: false,
    same: ["ana@example.com"],
    other: ["Ana@example.com", "Ana@example.com"],
    wrong: ["ana", "INVALID_FORMAT"]
  },
  {
    field: "partner.phone",
    nullable: false,
    same: ["11987654321", "+55 (11) 98765-4321"],
    other: ["(21) 3333-4444", "2133334444"],
    wrong: ["123", "INVALID_FORMAT"]
  },
  {
    field: "partner.status",
    nullable: false,
    same: ["active"],
    other: ["inactive", "inactive"],
    wrong: ["ACTIVE", "UNKNOWN_VALUE"]
  },
  {
    field: "partner.parent_uuid",
    nullable: false,
    same: ["0197f3a2-5b1c-7d3e-8f4a-00000000000b", "0197F3A2-5B1C-7D3E-8F4A-00000000000B"],
    other: ["0197F3A2-5B1C-7D3E-8F4A-00000000000C", "0197f3a2-5b1c-7d3e-8f4a-00000000000c"],
    wrong: ["1", "INVALID_FORMAT"]
  },
  {
    field: "pix.key",
    nullable: false,
    same: ["52998224725", "529.982.247-25"],
    other: ["111.444.777-35", "11144477735"],
    wrong: ["52998224724", "INVALID_CHECK_DIGIT"]
  },
  { field: "pix.type", nullable: false, same: ["CPF"], wrong: ["IBAN", "UNKNOWN_VALUE"] },
  {
    field: "address.zipcode",
    nullable: false,
    same: ["01310100", "01310-100"],
    other: ["20040-020", "20040020"],
    wrong: ["0131010", "INVALID_FORMAT"]
  },
  { field: "address.uf", nullable: false, same: ["SP"], other: ["RJ", "RJ"], wrong: ["XX", "UNKNOWN_VALUE"] },
  { field: "address.city", nullable: false, same: ["São Paulo"], other: ["Rio ", "Rio"], wrong: ["", "TOO_SHORT"] },
  { field: "address.district", nullable: true, same: ["Centro"], other: ["Sul", "Sul"], wrong: ["", "TOO_SHORT"] },
  {
    field: "address.neighborhood",
    nullable: false,
    same: ["Sé"],
    other: ["Bela", "Bela"],
    wrong: ["\u0000", "INVALID_FORMAT"]
  },
  {
    field: "address.street",
    nullable: false,
    same: ["Rua A"],
    other: ["Rua B", "Rua B"],
    wrong: ["x".repeat(201), "TOO_LONG"]
  },
  {
    field: "address.number",
    nullable: false,
    same: ["10"],
    other: ["S/N", "S/N"],
    wrong: ["1".repeat(21), "TOO_LONG"]
  },
  {
    field: "address.complement",
    nullable: true,
    same: ["Apto 1"],
    other: ["Apto 2", "Apto 2"],
    wrong: ["", "TOO_SHORT"]
  },
  { field: "bank_account.type", nullable: false, same: ["CC"], other: ["CP", "CP"], wrong: ["cc!", "UNKNOWN_VALUE"] },
  {
    field: "bank_account.agency",
    nullable: false,
    same: ["0001"],
    other: ["1234", "1234"],
    wrong: ["12345", "TOO_LONG"]
  },
  {
    field: "bank_account.bank_code",
    nullable: false,
    same: ["341"],
    other: ["60701190", "60701190"],
    wrong: ["34", "INVALID_FORMAT"]
  },
  {
    field: "bank_account.agency_digit",
    nullable: true,
    same: ["X", "x"],
    other: ["1", "1"],
    wrong: ["12", "INVALID_FORMAT"]
  },
  {
    field: "bank_account.account_number",
    nullable: false,
    same: ["00123"],
    other: ["123", "123"],
    wrong: ["12-3", "INVALID_FORMAT"]
  },
  {
    field: "bank_account.account_digit",
    nullable: true,
    same: ["7"],
    other: ["x", "X"],
    wrong: ["y", "INVALID_FORMAT"]
  }
]

/** The path of a patch field in the partner. */
const stored = (field: string): ReadonlyArray<string> => {
  const names: Readonly<Record<string, string>> = { type: "person_type", parent_uuid: "parent_id" }
  const [group = "", name = ""] = field.split(".")
  return group === "partner" ? [names[name] ?? name] : [group, name]
}

const withValue = (partner: object, path: ReadonlyArray<string>, value: unknown): object => {
  const [key = "", ...rest] = path
  return { ...partner, [key]: rest.length === 0 ? value : withValue(Reflect.get(partner, key), rest, value) }
}

describe("patchPartner", () => {
  it("PARTNER-02 the table covers every field of every group", () => {
    assert.strictEqual(rows.length, 7 + 2 + 8 + 6)
  })

  for (const { field, nullable, other, same, wrong } of rows) {
    it(`PARTNER-02 T26 ${field}: absent, null, same, other and wrong values`, () => {
      for (const value of same) {
        assert.deepStrictEqual(
          patchPartner(completePartner, body(field, value)),
          Result.succeed({
            next: completePartner,
            changed: false
          })
        )
      }
      const cleared = patchPartner(completePartner, body(field, null))
      if (nullable) {
        assert.deepStrictEqual<unknown>(
          cleared,
          Result.succeed({ next: withValue(completePartner, stored(field), null), changed: true })
        )
      } else assert.deepStrictEqual(listProblems(cleared), [`${field} NOT_NULLABLE`])
      if (other !== undefined) {
        assert.deepStrictEqual<unknown>(
          patchPartner(completePartner, body(field, other[0])),
          Result.succeed({ next: withValue(completePartner, stored(field), other[1]), changed: true })
        )
      }
      for (const value of [1, true, [], {}, [same[0]], { a: 1 }]) {
        assert.deepStrictEqual(listProblems(patchPartner(completePartner, body(field, value))), [
          `${field} INVALID_TYPE`
        ])
      }
      assert.deepStrictEqual(listProblems(patchPartner(completePartner, body(field, wrong[0]))), [
        `${field} ${wrong[1]}`
      ])
    })
  }

  it("PARTNER-02 T26 null clears a group; an empty or absent group is kept", () => {
    for (const group of ["pix", "address", "bank_account"]) {
      for (const partner of [completePartner, barePartner]) {
        assert.deepStrictEqual(
          patchPartner(partner, { [group]: {} }),
          Result.succeed({ next: partner, changed: false })
        )
        assert.deepStrictEqual<unknown>(
          patchPartner(partner, { [group]: null }),
          Result.succeed({ next: { ...partner, [group]: null }, changed: partner === completePartner })
        )
      }
      for (const wrong of [1, "x", [], true]) {
        expectProblems(patchPartner(completePartner, { [group]: wrong }), [`${group as "pix"} INVALID_TYPE`])
      }
    }
    expectProblems(patchPartner(completePartner, { partner: null }), ["partner NOT_NULLABLE"])
  })

  it("PARTNER-02 a new group requires all its fields except those that default to null", () => {
    const required = {
      pix: ["key", "type"],
      address: ["zipcode", "uf", "city", "neighborhood", "street", "number"],
      bank_account: ["type", "agency", "bank_code", "account_number"]
    } as const
    for (const [group, names] of Object.entries(required)) {
      const whole = completePartner[group as keyof typeof required]
      const given = Object.fromEntries(
        Object.entries(whole ?? {}).filter(([name]) => names.some((one) => one === name))
      )
      const empty = Object.fromEntries(Object.keys(whole ?? {}).map((name) => [name, null]))
      assert.deepStrictEqual<unknown>(
        patchPartner(barePartner, { [group]: given }),
        Result.succeed({ next: { ...barePartner, [group]: { ...empty, ...given } }, changed: true })
      )
      for (const missing of names) {
        const rest = Object.fromEntries(Object.entries(given).filter(([name]) => name !== missing))
        if (Object.keys(rest).length === 0) continue
        expectProblems(patchPartner(barePartner, { [group]: rest }), [`${group}.${missing} REQUIRED`])
      }
    }
    expectProblems(
      patchPartner(barePartner, { address: { complement: "x" } }),
      required.address.map((name) => `address.${name} REQUIRED` as const)
    )
  })

  it("PARTNER-02 a PIX type is checked with the stored key, and the problem is reported on the key", () => {
    expectProblems(patchPartner(completePartner, { pix: { type: "EMAIL" } }), ["pix.key INVALID_FORMAT"])
    assert.deepStrictEqual(
      Result.map(
        patchPartner(completePartner, { pix: { type: "EMAIL", key: "Ana@Example.com" } }),
        ({ next }) => next.pix
      ),
      Result.succeed({ type: "EMAIL", key: "ana@example.com" } as typeof completePartner.pix)
    )
  })

  it("PARTNER-02 PATCH-01 patching the type alone never reinterprets a PIX key", () => {
    // These digits are a CPF and also a phone number with area code 74.
    const pix = { key: "74900000094", type: "CPF" } as typeof completePartner.pix
    const partner = { ...completePartner, pix }
    expectProblems(patchPartner(partner, { pix: { type: "PHONE" } }), ["pix.key INVALID_FORMAT"])
    const both = patchPartner(partner, { pix: { type: "PHONE", key: "74900000094" } })
    assert.deepStrictEqual<unknown>(
      Result.map(both, ({ next }) => next.pix),
      Result.succeed({ key: "+5574900000094", type: "PHONE" })
    )
  })

  it("PARTNER-02 only a root may set its parent to null", () => {
    const root = { ...completePartner, parent_id: null }
    assert.deepStrictEqual(
      patchPartner(root, { partner: { parent_uuid: null } }),
      Result.succeed({ next: root, changed: false })
    )
    expectProblems(patchPartner(completePartner, { partner: { parent_uuid: null, name: "" } }), [
      "partner.parent_uuid NOT_NULLABLE",
      "partner.name TOO_SHORT"
    ])
  })

  it("T25 PARTNER-02 fields that only the system sets are unknown fields", () => {
    const names = ["partner_id", "status", "created_at", "parent_id", "person_type", "name", "email"] as const
    for (const name of names) {
      expectProblems(patchPartner(completePartner, { [name]: completePartner[name] }), [`${name} UNKNOWN_FIELD`])
    }
    for (const name of ["partner_id", "created_at", "parent_id", "person_type"] as const) {
      expectProblems(patchPartner(completePartner, { partner: { [name]: completePartner[name] } }), [
        `partner.${name} UNKNOWN_FIELD`
      ])
    }
  })
})
