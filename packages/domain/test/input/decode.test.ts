import { assert, describe, it } from "@effect/vitest"
import { codePoint } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { decode, decodeBody as decodeNew } from "../../src/input/decode.ts"
import { nullWhenAbsent } from "../../src/input/field.ts"
import { fieldPath } from "../../src/input/problemsOf.ts"
import { textSchema } from "../../src/input/Text.ts"
import { wholeNumber } from "../../src/input/wholeNumber.ts"
import { Cpf } from "../../src/values/Cpf.ts"
import { Uuid } from "../../src/values/Uuid.ts"
import { expectNotContained, expectProblems, listProblems } from "./problems.ts"

const Inner = Schema.Struct({
  uf: Schema.Literals(["SP", "RJ"]),
  extra: nullWhenAbsent(textSchema({ min: 1, max: 3 }))
})
const Body = Schema.Struct({
  id: Uuid,
  cpf: Cpf,
  kind: Schema.Literals(["a", "b"]),
  name: textSchema({ min: 2, max: 4 }),
  count: Schema.optionalKey(Schema.Finite),
  inner: Schema.optionalKey(Schema.NullOr(Inner)),
  list: Schema.optionalKey(Schema.Array(Inner))
})
const decodeBody = decode(Body)

const valid = { id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", cpf: "52998224725", kind: "a", name: "Ana" }

describe("decode", () => {
  it("parses a valid body into its canonical form", () => {
    assert.deepStrictEqual(
      decodeBody({ ...valid, cpf: "529.982.247-25", name: " Ana ", inner: { uf: "SP" } }),
      Result.succeed({ ...valid, inner: { uf: "SP", extra: null } } as typeof Body.Type)
    )
  })

  it("reports the problems of all fields at once", () => {
    expectProblems(
      decodeBody({
        id: "{0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40}",
        cpf: "52998224724",
        name: "A",
        count: "1",
        inner: { uf: "XX", extra: "long", more: 1 },
        list: [{ uf: "SP" }, { uf: null }, 5],
        more: true
      }),
      [
        "id INVALID_FORMAT",
        "cpf INVALID_CHECK_DIGIT",
        "kind REQUIRED",
        "name TOO_SHORT",
        "count INVALID_TYPE",
        "inner.uf UNKNOWN_VALUE",
        "inner.extra TOO_LONG",
        "inner.more UNKNOWN_FIELD",
        "list[1].uf NOT_NULLABLE",
        "list[2] INVALID_TYPE",
        "more UNKNOWN_FIELD"
      ]
    )
  })

  it("distinguishes null, a wrong type and an unknown value", () => {
    expectProblems(decodeBody({ ...valid, kind: null }), ["kind NOT_NULLABLE"])
    expectProblems(decodeBody({ ...valid, kind: 1 }), ["kind INVALID_TYPE"])
    expectProblems(decodeBody({ ...valid, kind: "c" }), ["kind UNKNOWN_VALUE"])
    expectProblems(decodeBody({ ...valid, name: null }), ["name NOT_NULLABLE"])
    expectProblems(decodeBody({ ...valid, name: ["Ana"] }), ["name INVALID_TYPE"])
    expectProblems(decodeBody({ ...valid, name: { length: 3 } }), ["name INVALID_TYPE"])
    expectProblems(decodeBody({ ...valid, count: null }), ["count NOT_NULLABLE"])
    expectProblems(decodeBody({ ...valid, inner: null }), [])
    expectProblems(decodeBody({ ...valid, inner: "SP" }), ["inner INVALID_TYPE"])
    expectProblems(decodeBody({ ...valid, inner: [] }), ["inner INVALID_TYPE"])
    expectProblems(decodeBody({ ...valid, inner: { uf: "SP", extra: null } }), [])
  })

  it("INPUT-03 in the body of a new record, null counts as an absent field", () => {
    const create = decodeNew(Body)
    const { kind, ...rest } = valid
    const absent = create({ ...rest, list: [{}] })
    expectProblems(absent, ["kind REQUIRED", "list[0].uf REQUIRED"])
    assert.deepStrictEqual(create({ ...rest, kind: null, list: [{ uf: null }] }), absent)
    assert.deepStrictEqual(create({ ...rest, kind, count: null, list: null }), decodeNew(Body)(valid))
    // Null that a field accepts, unknown fields, items of a list and a whole body are judged as they are.
    assert.deepStrictEqual(create({ ...valid, inner: null }), decodeNew(Body)({ ...valid, inner: null }))
    expectProblems(create({ ...valid, inner: { uf: "SP", extra: null, more: null }, more: null, list: [null] }), [
      "inner.more UNKNOWN_FIELD",
      "list[0] NOT_NULLABLE",
      "more UNKNOWN_FIELD"
    ])
    expectProblems(create(null), [" NOT_NULLABLE"])
  })

  it("INPUT-01 unknown fields above the limit are counted, but not read", () => {
    for (const read of [decodeBody, decodeNew(Body)]) {
      let reads = 0
      const body: object = { ...valid }
      for (let index = 0; index < 300; index++) {
        Object.defineProperty(body, `more${index}`, { enumerable: true, get: () => ++reads })
      }
      const failed = Result.getOrThrow(Result.flip(read(body)))
      assert.deepStrictEqual([failed.problems.length, failed.unlisted, reads], [100, 200, 100])
    }
  })

  it("lists the allowed values for an unknown one", () => {
    const problems = Result.mapError(decodeBody({ ...valid, kind: "c" }), (failed) => failed.problems)
    assert.deepStrictEqual(
      problems,
      Result.fail([{ field: "kind", code: "UNKNOWN_VALUE", params: { allowed: "a, b" } }])
    )
  })

  it("names the expected type of a value of the wrong type", () => {
    const types = {
      text: nullWhenAbsent(Cpf),
      choice: Schema.NullOr(Schema.Literals(["a", "b"])),
      integer: nullWhenAbsent(wholeNumber({ min: 1, max: 3 })),
      number: Schema.optionalKey(Schema.Finite),
      boolean: nullWhenAbsent(Schema.Boolean),
      object: Schema.NullOr(Inner),
      record: Schema.Record(Schema.String, Schema.String),
      list: Schema.optionalKey(Schema.Array(Inner)),
      either: Schema.Union([Schema.String, Schema.Boolean])
    }
    const wrong = { text: 5, choice: true, integer: "3", number: "1", boolean: "false", object: 1, record: 1 }
    const judged = decode(Schema.Struct(types))({ ...wrong, list: {}, either: 1 })
    const named = Result.isFailure(judged) ? judged.failure.problems : []
    assert.deepStrictEqual(named.map(({ code, field, params }) => `${code} ${field}: ${params?.["expected"]}`), [
      "INVALID_TYPE text: text",
      "INVALID_TYPE choice: text",
      "INVALID_TYPE integer: integer",
      "INVALID_TYPE number: number",
      "INVALID_TYPE boolean: boolean",
      "INVALID_TYPE object: object",
      "INVALID_TYPE record: object",
      "INVALID_TYPE list: list",
      "INVALID_TYPE either: undefined"
    ])
  })

  it("rejects a body that is not an object", () => {
    expectProblems(decodeBody(null), [" NOT_NULLABLE"])
    for (const body of [undefined, 5, "x", true, []]) expectProblems(decodeBody(body), [" INVALID_TYPE"])
  })

  it("prefixes every field", () => {
    expectProblems(decode(Inner)({ more: 1 }, ["list", 2]), ["list[2].uf REQUIRED", "list[2].more UNKNOWN_FIELD"])
    expectProblems(decode(Uuid)(7, ["id"]), ["id INVALID_TYPE"])
  })

  it("T27 treats __proto__ and constructor as unknown fields at every level", () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString"]) {
      const body: unknown = JSON.parse(
        `{"${key}":{"polluted":1},"id":"${valid.id}","cpf":"52998224725","kind":"a","name":"Ana",
          "inner":{"uf":"SP","${key}":{"polluted":1}}}`
      )
      expectProblems(decodeBody(body), [`${key} UNKNOWN_FIELD`, `inner.${key} UNKNOWN_FIELD`])
    }
    assert.notProperty({}, "polluted")
  })

  it("T29 parses a body nested beyond the call stack", () => {
    const depth = 100_000
    const bomb: unknown = JSON.parse("{\"a\":".repeat(depth) + "1" + "}".repeat(depth))
    expectProblems(decodeBody({ ...valid, name: bomb, inner: { uf: "SP", a: bomb }, more: bomb }), [
      "name INVALID_TYPE",
      "inner.a UNKNOWN_FIELD",
      "more UNKNOWN_FIELD"
    ])
  })

  it("never shows the rejected value", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 300, unit: codePoint }), (secret) => {
        const rejected = `secret-${secret}`
        const judged = decodeBody({
          id: rejected,
          cpf: rejected,
          kind: rejected,
          name: rejected,
          count: rejected,
          inner: { uf: rejected, extra: rejected },
          list: [rejected]
        })
        assert.strictEqual(listProblems(judged).length, 8)
        if (Result.isFailure(judged)) expectNotContained(judged.failure.problems, "secret-")
      }),
      { numRuns: 200 }
    )
  })
})

const decodeText = decode(Schema.Struct({ a: nullWhenAbsent(textSchema({ min: 1, max: 3 })) }))

describe("nullWhenAbsent", () => {
  it("null or absent becomes null; other values are parsed", () => {
    assert.deepStrictEqual(decodeText({}), Result.succeed({ a: null }))
    assert.deepStrictEqual(decodeText({ a: null }), Result.succeed({ a: null }))
    assert.deepStrictEqual(decodeText({ a: " b " }), Result.succeed({ a: "b" }))
  })

  it("rejects anything else", () => {
    expectProblems(decodeText({ a: "" }), ["a TOO_SHORT"])
    expectProblems(decodeText({ a: 1 }), ["a INVALID_TYPE"])
    expectProblems(decodeText({ a: {} }), ["a INVALID_TYPE"])
  })

  it("reports all problems of a group at once, of type and of text", () => {
    const group = Schema.Struct({ b: nullWhenAbsent(textSchema({ min: 1, max: 3 })), c: nullWhenAbsent(Schema.String) })
    const outer = decode(Schema.Struct({ a: nullWhenAbsent(group) }))
    expectProblems(outer({ a: { b: "", c: 1, d: 1 } }), ["a.b TOO_SHORT", "a.c INVALID_TYPE", "a.d UNKNOWN_FIELD"])
    assert.deepStrictEqual(outer({ a: {} }), Result.succeed({ a: { b: null, c: null } }))
  })
})

describe("fieldPath", () => {
  it("formats a path in dot notation", () => {
    assert.strictEqual(fieldPath([]), "")
    assert.strictEqual(fieldPath(["a"]), "a")
    assert.strictEqual(fieldPath(["a", "b"]), "a.b")
    assert.strictEqual(fieldPath(["a", 1]), "a[1]")
    assert.strictEqual(fieldPath(["a", 1, "b", 0, 2]), "a[1].b[0][2]")
    assert.strictEqual(fieldPath([3, "a"]), "[3].a")
  })

  it("truncates a long field name of the sender", () => {
    assert.strictEqual(fieldPath(["a", "x".repeat(64)]), `a.${"x".repeat(64)}`)
    assert.strictEqual(fieldPath(["a", "x".repeat(100_000)]), `a.${"x".repeat(64)}…`)
  })
})
