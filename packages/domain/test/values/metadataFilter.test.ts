import { assert, describe, it } from "@effect/vitest"
import { metadata } from "@lastro/testkit/arbitraries"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { type RawQuery } from "../../src/input/RawQuery.ts"
import { isApplicationSearch } from "../../src/origination/ListApplications.ts"
import { matchesMetadata, metadataParameter, parseMetadataFilter } from "../../src/values/metadataFilter.ts"

const read = (query: RawQuery): unknown =>
  Result.match(parseMetadataFilter(query), {
    onSuccess: Option.getOrNull,
    onFailure: (problems) => problems.map(({ code, field }) => `${field} ${code}`)
  })

describe("filter by metadata", () => {
  it("META-05 has one parameter for each key", () => {
    assert.deepStrictEqual(read({ "metadata[plan]": "gold", "metadata[a.b]": ["x"], name: "y" }), {
      plan: "gold",
      "a.b": "x"
    })
    assert.deepStrictEqual(read({ "metadata[plan]": "" }), { plan: "" })
    assert.isNull(read({ name: "x", metadatax: "y", page: "1" }))
    assert.isNull(read({ metadata: "" }))
  })

  it("META-05 the names of members of objects are keys like any other", () => {
    const filter = parseMetadataFilter({ "metadata[__proto__]": "a", "metadata[constructor]": "b" })
    assert.deepStrictEqual(
      Object.entries(Option.getOrThrow(Result.getOrThrow(filter))),
      [["__proto__", "a"], ["constructor", "b"]]
    )
  })

  it("META-05 another form of parameters is refused", () => {
    const rows: ReadonlyArray<readonly [query: RawQuery, problem: string]> = [
      [{ metadata: "gold" }, "query.metadata INVALID_TYPE"],
      [{ metadata: ["", "gold"] }, "query.metadata INVALID_TYPE"],
      [{ "metadata[a][b]": "x" }, "query.metadata[a][b] INVALID_TYPE"],
      [{ "metadata[a": "x" }, "query.metadata[a INVALID_TYPE"],
      [{ "metadata[a]b": "x" }, "query.metadata[a]b INVALID_TYPE"],
      [{ "metadata[": "x" }, "query.metadata[ INVALID_TYPE"],
      [{ "metadata[]": "x" }, "query.metadata[] TOO_SHORT"],
      [{ "metadata[a\0]": "x" }, "query.metadata[a\0] INVALID_FORMAT"],
      [{ "metadata[a]": ["x", "y"] }, "query.metadata[a] INVALID_TYPE"],
      [{ "metadata[a]": ["x", "x"] }, "query.metadata[a] INVALID_TYPE"],
      [{ "metadata[a]": "\0" }, "query.metadata[a] INVALID_FORMAT"],
      [{ "metadata[a]": "v".repeat(501) }, "query.metadata[a] TOO_LONG"]
    ]
    for (const [query, problem] of rows) assert.deepStrictEqual(read(query), [problem])
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`metadata[${index}]`, "x"]))
    assert.deepStrictEqual(read(many), ["query.metadata TOO_LONG"])
  })

  it("META-06 a record passes if it has every key with the same text", () => {
    const stored = JSON.parse("{\"plan\":\"gold\",\"__proto__\":\"a\",\"empty\":\"\"}") as Record<string, string>
    const filters: ReadonlyArray<readonly [filter: string, passes: boolean]> = [
      ["{}", true],
      ["{\"plan\":\"gold\"}", true],
      ["{\"plan\":\"gold\",\"__proto__\":\"a\",\"empty\":\"\"}", true],
      ["{\"plan\":\"Gold\"}", false],
      ["{\"plan\":\"gol\"}", false],
      ["{\"plan\":\"gold\",\"other\":\"x\"}", false],
      ["{\"other\":\"\"}", false],
      ["{\"toString\":\"\"}", false]
    ]
    for (const [filter, passes] of filters) {
      assert.strictEqual(matchesMetadata(stored, JSON.parse(filter) as Record<string, string>), passes, filter)
    }
  })

  it("META-05 META-06 the filter of all keys of a record finds this record", () => {
    fc.assert(fc.property(metadata, (one) => {
      const query = Object.fromEntries(Object.entries(one).map(([key, value]) => [metadataParameter(key), value]))
      const filter = Option.getOrElse(Result.getOrThrow(parseMetadataFilter(query)), () => ({}))
      assert.deepStrictEqual(new Map(Object.entries(filter)), new Map(Object.entries(one)))
      assert.isTrue(matchesMetadata(one, filter))
    }))
  })

  it("FGTS-52 a query with a filter by metadata is not a search by external id", () => {
    assert.isTrue(isApplicationSearch({ external_id: "loan-1" }))
    assert.isFalse(isApplicationSearch({ external_id: "loan-1", "metadata[plan]": "gold" }))
    assert.isFalse(isApplicationSearch({ external_id: "loan-1", metadata: "gold" }))
  })
})
