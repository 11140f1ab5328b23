import { assert, describe, it } from "@effect/vitest"
import { type Schema } from "effect"
import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { examples } from "../../../../test/rounds.ts"
import { maskPersonalData } from "../../src/audit/maskPersonalData.ts"
import { changedFields } from "../../src/audit/recordAudit.ts"
import { completePartner } from "../partner/examples.ts"

const value: fc.Arbitrary<Schema.Json> = fc.letrec<{ value: Schema.Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Schema.Json>(null, true, 0, 1, "", "a", "b"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("value"), { maxKeys: 3, noNullPrototype: true })
  )
})).value
const record = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { noNullPrototype: true })

const at = (from: Schema.Json, path: string): Schema.Json | undefined =>
  path.split(".").reduce<Schema.Json | undefined>(
    (inner, name) =>
      inner === undefined || inner === null || typeof inner !== "object" || Array.isArray(inner)
        ? undefined
        : Object.getOwnPropertyDescriptor(inner, name)?.value,
    from
  )

describe("changedFields", () => {
  it("AUDIT-02 returns the paths of the fields that differ", () => {
    const named = (after: Schema.Json) => changedFields(completePartner, after)
    assert.deepStrictEqual(named(completePartner), [])
    assert.deepStrictEqual(named({ ...completePartner, name: "Ana Lima", status: "inactive" }), ["name", "status"])
    assert.deepStrictEqual(named({ ...completePartner, pix: null }), ["pix"])
    assert.deepStrictEqual(
      named({ ...completePartner, address: { ...completePartner.address, city: "Santos", district: null } }),
      ["address.city", "address.district"]
    )
    assert.deepStrictEqual(changedFields({ a: [1], b: {} }, { a: [2], c: {} }), ["a", "b", "c"])
  })

  it("AUDIT-02 includes a field whose masked values are equal", () => {
    const after = { ...completePartner, pix: { key: "50000000005", type: "CPF" } }
    assert.deepStrictEqual(maskPersonalData(after), maskPersonalData(completePartner))
    assert.deepStrictEqual(changedFields(completePartner, after), ["pix.key"])
  })

  it("AUDIT-02 returns nothing when a record is created or deleted", () => {
    assert.deepStrictEqual(changedFields(null, completePartner), [])
    assert.deepStrictEqual(changedFields(completePartner, null), [])
    assert.deepStrictEqual(changedFields(null, null), [])
  })

  it("AUDIT-02 returns each changed field once and no unchanged field; nothing if and only if the records are equal", () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        const changed = changedFields(before, after)
        assert.strictEqual(changed.length === 0, isDeepStrictEqual(before, after))
        assert.strictEqual(new Set(changed).size, changed.length)
        assert.deepStrictEqual(changedFields(after, before).toSorted(), changed.toSorted())
        for (const path of changed) assert.isFalse(isDeepStrictEqual(at(before, path), at(after, path)), path)
        for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
          const included = changed.some((path) => path === name || path.startsWith(`${name}.`))
          assert.strictEqual(included, !isDeepStrictEqual(at(before, name), at(after, name)), name)
        }
      }),
      { numRuns: examples(1_500) }
    )
  })
})
