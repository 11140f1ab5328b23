import { assert, describe, it } from "@effect/vitest"
import { metadata } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { type Metadata } from "../../src/values/Metadata.ts"
import { parseMetadata, patchMetadata } from "../../src/values/parseMetadata.ts"

const keys = (count: number, prefix = "key"): Metadata =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix} ${index}`, String(index)]))

const outcomeOf = (result: ReturnType<typeof parseMetadata>): unknown =>
  Result.isSuccess(result) ? result.success : result.failure.problems.map(({ code, field }) => `${field} ${code}`)

const entriesOf = (result: ReturnType<typeof parseMetadata>): unknown =>
  Result.isSuccess(result) ? Object.entries(result.success) : outcomeOf(result)

/** Fields that every object inherits, and texts that other systems corrupt. */
const strange = JSON.parse(
  `{"__proto__":"a","constructor":"b","toString":"","hasOwnProperty":"d","0":"e","a.b":"f"," ":"g","ação 🏦":"\\t\\n\\ufeff"}`
) as Metadata

describe("metadata of a new record", () => {
  it("META-03 every text is kept as it is, also below the names of members of objects", () => {
    assert.sameDeepMembers(Object.entries(Result.getOrThrow(parseMetadata(strange))), Object.entries(strange))
    assert.isTrue(Object.hasOwn(Result.getOrThrow(parseMetadata(strange)), "__proto__"))
    const longest = { ["😀".repeat(40)]: "😀".repeat(500), e: "e\u0301 " }
    assert.deepStrictEqual(outcomeOf(parseMetadata(longest)), longest)
  })

  it("META-08 the order of the keys does not matter: shorter keys come first, then code points", () => {
    fc.assert(fc.property(metadata, (one) => {
      const reversed = Object.fromEntries(Object.entries(one).toReversed())
      assert.strictEqual(JSON.stringify(Result.getOrThrow(parseMetadata(reversed))), JSON.stringify(one))
    }))
    const given = { "😀": "", "\uffee": "", bb: "", b: "", é: "", aaa: "", Z: "" }
    assert.deepStrictEqual(Object.keys(Result.getOrThrow(parseMetadata(given))), [
      "Z",
      "b",
      "bb",
      "é",
      "aaa",
      "\uffee",
      "😀"
    ])
  })

  it("absent and null metadata is empty", () => {
    for (const value of [undefined, null, {}]) assert.deepStrictEqual(outcomeOf(parseMetadata(value)), {})
  })

  it("anything but an object of texts is refused", () => {
    for (const value of ["gold", 1, true, [], ["gold"], [["plan", "gold"]]]) {
      assert.deepStrictEqual(outcomeOf(parseMetadata(value)), ["metadata INVALID_TYPE"])
    }
    assert.deepStrictEqual(outcomeOf(parseMetadata({ a: 1, b: true, c: {}, d: [], e: null, f: "text" })), [
      "metadata.a INVALID_TYPE",
      "metadata.b INVALID_TYPE",
      "metadata.c INVALID_TYPE",
      "metadata.d INVALID_TYPE",
      "metadata.e NOT_NULLABLE"
    ])
  })

  it("META-01 there are at most 50 keys", () => {
    assert.deepStrictEqual(outcomeOf(parseMetadata(keys(50))), keys(50))
    assert.deepStrictEqual(outcomeOf(parseMetadata(keys(51))), ["metadata TOO_LONG"])
    assert.deepStrictEqual(outcomeOf(parseMetadata(keys(100_000, "\0"))), ["metadata TOO_LONG"])
    const refused = parseMetadata(keys(51))
    assert.deepStrictEqual(Result.isFailure(refused) ? refused.failure.problems[0]?.params : {}, { max_keys: 50 })
  })

  it("META-02 a key has 1 to 40 code points, no control characters, lone surrogates or brackets", () => {
    const rows: ReadonlyArray<readonly [key: string, problem: string]> = [
      ["", "metadata. TOO_SHORT"],
      ["k".repeat(41), `metadata.${"k".repeat(41)} TOO_LONG`],
      ["a\0", "metadata.a\0 INVALID_FORMAT"],
      ["a\n", "metadata.a\n INVALID_FORMAT"],
      ["\ud800", "metadata.\ud800 INVALID_FORMAT"],
      ["\udc00\ud800", "metadata.\udc00\ud800 INVALID_FORMAT"],
      ["a[b", "metadata.a[b INVALID_FORMAT"],
      ["a]", "metadata.a] INVALID_FORMAT"]
    ]
    for (const [key, problem] of rows) {
      assert.deepStrictEqual(outcomeOf(parseMetadata({ [key]: "text" })), [problem])
      assert.deepStrictEqual(outcomeOf(patchMetadata({}, { [key]: null })), [problem])
    }
  })

  it("META-03 a value has at most 500 code points, no NUL and no lone surrogates", () => {
    for (
      const [value, code] of [
        ["v".repeat(501), "TOO_LONG"],
        ["😀".repeat(501), "TOO_LONG"],
        ["a\0b", "INVALID_FORMAT"],
        [
          "\ud83d",
          "INVALID_FORMAT"
        ],
        ["\ude00a", "INVALID_FORMAT"]
      ] as const
    ) {
      assert.deepStrictEqual(outcomeOf(parseMetadata({ plan: value })), [`metadata.plan ${code}`])
      assert.deepStrictEqual(outcomeOf(patchMetadata({}, { plan: value })), [`metadata.plan ${code}`])
    }
  })

  it("valid metadata is parsed to itself", () => {
    fc.assert(fc.property(metadata, (one) => {
      assert.deepStrictEqual(entriesOf(parseMetadata(one)), Object.entries(one))
    }))
  })
})

describe("patch of metadata", () => {
  const stored: Metadata = { plan: "gold", region: "south" }

  it("META-04 a key with null is removed, other keys are set, and absent keys keep their values", () => {
    const patch = { region: null, plan: "silver", crm_id: "4711", unknown: null }
    assert.deepStrictEqual(outcomeOf(patchMetadata(stored, patch)), { plan: "silver", crm_id: "4711" })
    assert.deepStrictEqual(stored, { plan: "gold", region: "south" })
  })

  it("META-04 null removes all keys, and an absent field changes nothing", () => {
    assert.deepStrictEqual(outcomeOf(patchMetadata(stored, null)), {})
    assert.deepStrictEqual(patchMetadata(stored, undefined), Result.succeed(stored))
  })

  it("META-04 the members of objects are keys like any other", () => {
    const cleared = JSON.parse("{\"__proto__\":null,\"constructor\":null,\"toString\":\"x\"}") as unknown
    assert.deepStrictEqual(entriesOf(patchMetadata({}, cleared)), [["toString", "x"]])
    const { __proto__: _, constructor: __, ...others } = strange
    const { toString, ...kept } = others
    const patched = patchMetadata(strange, cleared)
    assert.deepStrictEqual(
      new Map(Object.entries(Result.getOrThrow(patched))),
      new Map(Object.entries({ ...kept, toString: "x" }))
    )
  })

  it("META-04 a patch without effect returns the stored metadata itself", () => {
    for (const patch of [{}, { plan: "gold" }, { other: null }, stored]) {
      assert.strictEqual(Result.getOrThrow(patchMetadata(stored, patch)), stored)
    }
    const empty: Metadata = {}
    assert.strictEqual(Result.getOrThrow(patchMetadata(empty, null)), empty)
  })

  it("META-01 the limit of 50 keys applies to the merged metadata", () => {
    assert.deepStrictEqual(outcomeOf(patchMetadata(keys(50), { another: "x" })), ["metadata TOO_LONG"])
    const replaced = { ...Object.fromEntries(Object.keys(keys(50)).map((key) => [key, null])), ...keys(50, "new") }
    assert.deepStrictEqual(outcomeOf(patchMetadata(keys(50), replaced)), keys(50, "new"))
  })

  it("META-04 patching twice equals patching once, and null of every key equals null", () => {
    fc.assert(fc.property(metadata, metadata, (one, other) => {
      const patched = patchMetadata(one, other)
      if (Result.isFailure(patched)) return
      assert.strictEqual(Result.getOrThrow(patchMetadata(patched.success, other)), patched.success)
      const cleared = Object.fromEntries(Object.keys(one).map((key) => [key, null]))
      assert.deepStrictEqual(outcomeOf(patchMetadata(one, cleared)), outcomeOf(patchMetadata(one, null)))
    }))
  })
})
