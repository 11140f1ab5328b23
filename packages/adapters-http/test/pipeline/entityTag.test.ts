import { assert, describe, it } from "@effect/vitest"
import { rejectionByLastro } from "@lastro/domain/offer"
import { Option } from "effect"
import { localizeRejections } from "../../src/errors/rejectionMessages.ts"
import { entityTag, ifMatch, ifNoneMatch, knownBy } from "../../src/pipeline/conditionalHeaders.ts"

const record = { name: "Ana", phones: ["1", "2"] }
const tag = entityTag(record)

describe("entityTag", () => {
  it("is a strong tag that depends only on the value", () => {
    assert.match(tag, /^"[A-Za-z0-9_-]{22}"$/)
    assert.strictEqual(entityTag({ phones: ["1", "2"], name: "Ana" }), tag)
    assert.notStrictEqual(entityTag({ ...record, name: "Anna" }), tag)
  })

  it("stays the same between releases", () => {
    assert.strictEqual(tag, "\"tsoaWNESXhGTiBjOQS0V53\"")
  })
})

describe("ifMatch", () => {
  const cases: ReadonlyArray<readonly [string | undefined, boolean]> = [
    [undefined, true],
    ["*", true],
    [" * ", true],
    [tag, true],
    [`"other", ${tag}`, true],
    [`${tag},"other"`, true],
    [`W/${tag}`, false],
    ["\"other\"", false],
    [tag.slice(1, -1), false],
    ["", false],
    ["*, \"other\"", false]
  ]
  for (const [header, expected] of cases) {
    it(`${String(header)} ${expected ? "holds" : "does not hold"}`, () => {
      assert.strictEqual(ifMatch(header)(record), expected)
    })
  }

  it("holds for the tag of the record in each language", () => {
    const stored = { ...record, rejection: rejectionByLastro("NO_ANSWER") }
    const [english, portuguese] = [stored, localizeRejections(stored, "pt-BR")].map(entityTag)
    assert.notStrictEqual(english, portuguese)
    for (const header of [english, portuguese]) {
      assert.isTrue(ifMatch(header)(stored))
      assert.isFalse(ifMatch(header)({ ...stored, name: "Anna" }))
    }
  })
})

describe("ifNoneMatch", () => {
  const cases: ReadonlyArray<readonly [string | undefined, boolean]> = [
    [undefined, false],
    ["*", true],
    [tag, true],
    [`W/${tag}`, true],
    [`"other", W/${tag}`, true],
    ["\"other\"", false],
    ["W/\"other\"", false],
    ["", false]
  ]
  for (const [header, expected] of cases) {
    it(`${String(header)} ${expected ? "names" : "does not name"} the tag`, () => {
      assert.strictEqual(ifNoneMatch(header, tag), expected)
    })
  }
})

describe("knownBy", () => {
  it("returns whether the caller has the record, and none without a header", () => {
    assert.deepStrictEqual(knownBy(undefined)(record), Option.none())
    assert.deepStrictEqual(knownBy(tag)(record), Option.some(true))
    assert.deepStrictEqual(knownBy("\"other\"")(record), Option.some(false))
    assert.deepStrictEqual(knownBy(tag)({ other: 1 }), Option.some(false))
  })
})
