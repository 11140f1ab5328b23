import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { nullWhenAbsent } from "../../src/input/field.ts"
import { makePatch } from "../../src/input/Patch.ts"
import { textSchema } from "../../src/input/Text.ts"
import { expectProblems } from "./problems.ts"

const line = textSchema({ min: 1, max: 3 })
const patch = makePatch({
  name: line,
  nick: Schema.NullOr(line),
  code: line,
  place: Schema.NullOr(Schema.Struct({ city: line, street: line, extra: nullWhenAbsent(line) })),
  account: Schema.Struct({ kind: Schema.Literals(["a", "b"]), owner: line })
}, { immutable: ["code", "account.kind"] })

type Stored = Parameters<typeof patch.apply>[0]

const stored: Stored = {
  name: "Ana",
  nick: "A",
  code: "X1",
  place: { city: "SP", street: "R", extra: "e" },
  account: { kind: "a", owner: "o" }
}

const applyPatch = (body: unknown, to: Stored = stored) => Result.getOrThrow(patch.apply(to, body))
const expectChanged = (body: unknown, next: Stored, to: Stored = stored): void =>
  assert.deepStrictEqual(applyPatch(body, to), { next, changed: true })
const expectUnchanged = (body: unknown, to: Stored = stored): void =>
  assert.deepStrictEqual(applyPatch(body, to), { next: to, changed: false })

describe("Patch", () => {
  it("PATCH-01 absent fields keep their values; present ones are stored in canonical form", () => {
    expectChanged({ name: " Bia " }, { ...stored, name: "Bia" })
    expectChanged({ name: "Bia", nick: "B" }, { ...stored, name: "Bia", nick: "B" })
  })

  it("PATCH-01 reports that nothing changed", () => {
    for (
      const body of [{}, { name: "Ana" }, { name: " Ana\n" }, { nick: "A" }, { place: {} }, { place: { city: "SP" } }, {
        account: {}
      }]
    ) expectUnchanged(body)
    expectUnchanged({ nick: null, place: null }, { ...stored, nick: null, place: null })
  })

  it("PATCH-01 null clears a nullable field and is rejected elsewhere", () => {
    expectChanged({ nick: null, place: null }, { ...stored, nick: null, place: null })
    expectChanged({ place: { extra: null } }, { ...stored, place: { city: "SP", street: "R", extra: null } })
    expectProblems(patch.apply(stored, { name: null, account: null, place: { city: null }, nick: null }), [
      "name NOT_NULLABLE",
      "account NOT_NULLABLE",
      "place.city NOT_NULLABLE"
    ])
    expectProblems(patch.apply(stored, { account: { owner: null } }), ["account.owner NOT_NULLABLE"])
  })

  it("PATCH-01 a group merges field by field", () => {
    expectChanged({ place: { city: "RJ" } }, { ...stored, place: { city: "RJ", street: "R", extra: "e" } })
    expectChanged({ account: { owner: "p" } }, { ...stored, account: { kind: "a", owner: "p" } })
  })

  it("PATCH-01 a patch of a missing group is validated in full", () => {
    const bare = { ...stored, place: null }
    expectChanged(
      { place: { city: "RJ", street: "S" } },
      { ...stored, place: { city: "RJ", street: "S", extra: null } },
      bare
    )
    expectProblems(patch.apply(bare, { place: { extra: "x" } }), ["place.city REQUIRED", "place.street REQUIRED"])
    expectProblems(patch.apply(bare, { place: { city: "" } }), ["place.city TOO_SHORT", "place.street REQUIRED"])
  })

  it("PATCH-01 an empty group changes nothing, stored or not", () => {
    expectUnchanged({ place: {}, account: {} })
    expectUnchanged({ place: {} }, { ...stored, place: null })
  })

  it("PATCH-01 an empty object is an invalid type for a field that is not a group", () => {
    expectProblems(patch.apply(stored, { name: {}, nick: {}, code: {}, place: { city: {} }, account: { owner: {} } }), [
      "name INVALID_TYPE",
      "nick INVALID_TYPE",
      "code INVALID_TYPE",
      "place.city INVALID_TYPE",
      "account.owner INVALID_TYPE"
    ])
  })

  it("PATCH-01 an immutable field accepts only its current value", () => {
    expectUnchanged({ code: "X1", account: { kind: "a" } })
    expectUnchanged({ code: " X1 " })
    expectChanged({ code: "X1", name: "Bia" }, { ...stored, name: "Bia" })
    expectProblems(patch.apply(stored, { code: "X2", account: { kind: "b" } }), [
      "code IMMUTABLE",
      "account.kind IMMUTABLE"
    ])
  })

  it("PATCH-01 any other value of an immutable field is IMMUTABLE, even an invalid one", () => {
    expectProblems(patch.apply(stored, { code: "", account: { kind: "z" } }), [
      "code IMMUTABLE",
      "account.kind IMMUTABLE"
    ])
    expectProblems(patch.apply(stored, { code: null, account: { kind: 1 } }), [
      "code NOT_NULLABLE",
      "account.kind INVALID_TYPE"
    ])
  })

  it("PATCH-01 a rejected patch reports every problem at once and changes nothing", () => {
    const before = structuredClone(stored)
    expectProblems(
      patch.apply(stored, {
        name: "",
        nick: "Bia",
        code: "X2",
        place: { city: "long", zip: 1 },
        account: { owner: 5, more: 1 },
        more: null
      }),
      [
        "name TOO_SHORT",
        "code IMMUTABLE",
        "place.city TOO_LONG",
        "place.zip UNKNOWN_FIELD",
        "account.owner INVALID_TYPE",
        "account.more UNKNOWN_FIELD",
        "more UNKNOWN_FIELD"
      ]
    )
    assert.deepStrictEqual(stored, before)
  })

  it("PATCH-01 a group must be an object", () => {
    for (const body of [5, "x", true, []]) {
      expectProblems(patch.apply(stored, body), [" INVALID_TYPE"])
      expectProblems(patch.apply(stored, { account: body, place: body }), [
        "account INVALID_TYPE",
        "place INVALID_TYPE"
      ])
    }
    expectProblems(patch.apply(stored, null), [" NOT_NULLABLE"])
  })

  it("T29 PATCH-01 a patch may be nested beyond the call stack", () => {
    const depth = 100_000
    const bomb: unknown = JSON.parse("{\"a\":".repeat(depth) + "1" + "}".repeat(depth))
    expectProblems(patch.apply(stored, { name: bomb, place: bomb, account: bomb, more: bomb }), [
      "name INVALID_TYPE",
      "place.a UNKNOWN_FIELD",
      "account.a UNKNOWN_FIELD",
      "more UNKNOWN_FIELD"
    ])
    expectProblems(patch.apply(stored, { place: { city: bomb } }), ["place.city INVALID_TYPE"])
  })

  it("T27 PATCH-01 __proto__ and constructor are unknown fields at every level and pollute no prototype", () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      const bodies = [`{"${key}":{"polluted":1}}`, `{"${key}":null}`, `{"${key}":{}}`, `{"${key}":"x"}`]
      for (const body of bodies) {
        expectProblems(patch.apply(stored, JSON.parse(body)), [`${key} UNKNOWN_FIELD`])
        expectProblems(patch.apply(stored, JSON.parse(`{"account":${body}}`)), [`account.${key} UNKNOWN_FIELD`])
        expectProblems(patch.apply(stored, JSON.parse(`{"place":${body}}`)), [`place.${key} UNKNOWN_FIELD`])
        expectProblems(patch.apply({ ...stored, place: null }, JSON.parse(`{"place":${body}}`)), [
          `place.${key} UNKNOWN_FIELD`,
          "place.city REQUIRED",
          "place.street REQUIRED"
        ])
      }
      assert.notProperty({}, "polluted")
      assert.notProperty(stored, "polluted")
    }
  })
})
