import { assert, describe, it } from "@effect/vitest"
import { cpf, email, group, partnerId, personName, phone, userDetail } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { groupBySlug, groupRecord } from "../../src/access/Group.ts"
import { patchUser } from "../../src/user/patchUser.ts"
import { type UserDetail, UserStatus } from "../../src/user/UserDetail.ts"
import { expectProblems, listProblems } from "../input/problems.ts"
import { storedUser } from "./examples.ts"

const operator = groupBySlug("operator")

interface Row {
  readonly field: string
  readonly same: ReadonlyArray<string>
  /** Another value in written form with the resulting user; absent for an immutable field. */
  readonly other?: readonly [written: string, change: Partial<UserDetail>]
  readonly wrong: readonly [text: string, code: string]
}

const rows: ReadonlyArray<Row> = [
  {
    field: "name",
    same: ["Ana Maria", "\tAna Maria "],
    other: ["Jose\u0301", { name: "José" }],
    wrong: [" x ", "TOO_SHORT"]
  },
  {
    field: "email",
    same: ["ana@example.com"],
    other: ["ANA@example.com", { email: "ANA@example.com" }],
    wrong: ["ana@", "INVALID_FORMAT"]
  },
  {
    field: "phone",
    same: ["(11) 98765-4321"],
    other: ["2133334444", { phone: "2133334444" }],
    wrong: ["1", "INVALID_FORMAT"]
  },
  { field: "cpf", same: ["529.982.247-25", "52998224725"], wrong: ["11144477735", "IMMUTABLE"] },
  {
    field: "status",
    same: ["ACTIVE"],
    other: ["INACTIVE", { status: "INACTIVE" }],
    wrong: ["active", "UNKNOWN_VALUE"]
  },
  {
    field: "group_id",
    same: [storedUser.group.group_id, storedUser.group.group_id.toUpperCase(), storedUser.group.slug],
    other: ["operator", { group: groupRecord(operator) }],
    wrong: ["boss", "INVALID_FORMAT"]
  },
  {
    field: "partner_id",
    same: [storedUser.partner_id, storedUser.partner_id.toUpperCase()],
    other: [storedUser.user_id, { partner_id: storedUser.user_id as string as UserDetail["partner_id"] }],
    wrong: ["1", "INVALID_FORMAT"]
  }
]

const bodies = fc.record({
  name: personName,
  email,
  phone,
  status: fc.constantFrom(...UserStatus.literals),
  group_id: group.map(({ group_id }) => group_id),
  partner_id: partnerId,
  password: fc.string(),
  current_password: fc.anything()
}, { requiredKeys: [] })

describe("patchUser", () => {
  for (const { field, other, same, wrong } of rows) {
    it(`USER-03 T26 ${field}: absent, null, same, other and wrong values`, () => {
      for (const value of same) {
        assert.deepStrictEqual(
          patchUser(storedUser, { [field]: value }),
          Result.succeed({ next: storedUser, changed: false })
        )
      }
      if (other !== undefined) {
        assert.deepStrictEqual(
          patchUser(storedUser, { [field]: other[0] }),
          Result.succeed({ next: { ...storedUser, ...other[1] }, changed: true })
        )
      }
      assert.deepStrictEqual(listProblems(patchUser(storedUser, { [field]: null })), [`${field} NOT_NULLABLE`])
      for (const value of [1, true, [], {}, [same[0]], { a: 1 }]) {
        assert.deepStrictEqual(listProblems(patchUser(storedUser, { [field]: value })), [`${field} INVALID_TYPE`])
      }
      assert.deepStrictEqual(listProblems(patchUser(storedUser, { [field]: wrong[0] })), [`${field} ${wrong[1]}`])
    })
  }

  it("USER-03 reports every problem at once and skips the password", () => {
    expectProblems(
      patchUser(storedUser, {
        name: "",
        cpf: "11144477735",
        status: "GONE",
        more: 1,
        password: "x",
        current_password: 7
      }),
      ["name TOO_SHORT", "cpf IMMUTABLE", "status UNKNOWN_VALUE", "more UNKNOWN_FIELD"]
    )
    assert.deepStrictEqual(
      patchUser(storedUser, { password: "x", current_password: 7 }),
      Result.succeed({ next: storedUser, changed: false })
    )
  })

  it("T25 USER-03 fields that only the system sets are unknown fields", () => {
    for (const name of ["user_id", "must_change_password", "created_at", "group", "partners", "credentials_version"]) {
      assert.deepStrictEqual(listProblems(patchUser(storedUser, { [name]: Reflect.get(storedUser, name) })), [
        `${name} UNKNOWN_FIELD`
      ])
    }
  })

  it("T27 USER-03 __proto__ and constructor are unknown fields", () => {
    for (const key of ["__proto__", "constructor"] as const) {
      for (const value of ["{\"name\":\"Bia\"}", "null", "{}", "\"x\""]) {
        const body: unknown = JSON.parse(`{"${key}":${value},"password":"x"}`)
        expectProblems(patchUser(storedUser, body), [`${key} UNKNOWN_FIELD`])
      }
    }
  })

  it("USER-03 a body must be an object", () => {
    for (const body of [1, "x", [], true]) expectProblems(patchUser(storedUser, body), [" INVALID_TYPE"])
    expectProblems(patchUser(storedUser, null), [" NOT_NULLABLE"])
  })

  it("PATCH-01 USER-03 patching twice equals patching once, and unmentioned fields are kept", () => {
    fc.assert(
      fc.property(userDetail, bodies, (user, body) => {
        const { changed, next } = Result.getOrThrow(patchUser(user, body))
        assert.deepStrictEqual(patchUser(next, body), Result.succeed({ next, changed: false }))
        assert.strictEqual(changed, JSON.stringify(next) !== JSON.stringify(user))
        for (const name of ["user_id", "cpf", "must_change_password", "created_at", "partners"] as const) {
          assert.deepStrictEqual(next[name], user[name])
        }
        for (const name of ["name", "email", "phone", "status", "partner_id"] as const) {
          if (!Object.hasOwn(body, name)) assert.strictEqual(next[name], user[name])
        }
        if (!Object.hasOwn(body, "group_id")) assert.deepStrictEqual(next.group, user.group)
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("PATCH-01 USER-03 a rejected patch changes nothing", () => {
    fc.assert(
      fc.property(userDetail, bodies, cpf, (user, body, other) => {
        if (other === user.cpf) return
        const before = structuredClone(user)
        expectProblems(patchUser(user, { ...body, cpf: other }), ["cpf IMMUTABLE"])
        assert.deepStrictEqual(user, before)
      }),
      { numRuns: examples(500) }
    )
  })
})
