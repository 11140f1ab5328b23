import { assert, describe, it } from "@effect/vitest"
import { illFormedText, sortOf } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { firstOfEachProperty, parseDirection, parseSort, type SortBy, sortOrDefault } from "../../src/input/Sort.ts"

const fields = ["created_at", "name", "email"] as const
const parse = parseSort<typeof fields[number]>(fields, { full_name: "name" })

/** Formats a sort order as values of the parameter `sort`. */
const formatSort = (sort: ReadonlyArray<SortBy>) =>
  sort.map(({ alias, direction, property }) => `${alias ?? property},${direction}`)

const asc = <F extends string>(property: F) => ({ property, direction: "asc" as const })
const desc = <F extends string>(property: F) => ({ property, direction: "desc" as const })

const unknownField = {
  field: "query.sort",
  code: "UNKNOWN_VALUE",
  params: { allowed: "created_at, name, email" }
} as const
const unknownDirection = { field: "query.sort", code: "UNKNOWN_VALUE", params: { allowed: "asc, desc" } } as const

describe("Sort", () => {
  it("PAGE-08 without a sort, or with empty ones only, the newest come first", () => {
    for (const raw of [[], [""], ["", ""]]) assert.deepStrictEqual(parse(raw), Result.succeed([desc("created_at")]))
    assert.deepStrictEqual(sortOrDefault([]), [desc("created_at")])
    assert.deepStrictEqual(sortOrDefault([asc("name")]), [asc("name")])
  })

  it("PAGE-09 the first sort of a property counts, aliases included", () => {
    assert.deepStrictEqual(parse(["name,desc", "email", "name,asc"]), Result.succeed([desc("name"), asc("email")]))
    const byAlias = { ...desc("name" as const), alias: "full_name" }
    assert.deepStrictEqual(parse(["full_name,desc", "name"]), Result.succeed([byAlias]))
    assert.deepStrictEqual(parse(["name", "full_name,desc"]), Result.succeed([asc("name")]))
    assert.deepStrictEqual(firstOfEachProperty([asc("b"), asc("a"), desc("b")]), [asc("b"), asc("a")])
  })

  it("PAGE-10 a direction is case-insensitive and defaults to ascending", () => {
    for (const text of [undefined, "asc", "ASC", "Asc"]) assert.strictEqual(parseDirection(text), "asc")
    for (const text of ["desc", "DESC", "dEsC"]) assert.strictEqual(parseDirection(text), "desc")
    for (const text of ["", " asc", "asc ", "ascending", "deſc", "1", "asc,desc", "\u0000"]) {
      assert.strictEqual(parseDirection(text), undefined, text)
    }
  })

  it("PAGE-11 reads sorts in order and skips empty ones", () => {
    assert.deepStrictEqual(
      parse(["", "email,DESC", "", "name", "created_at,asc"]),
      Result.succeed([desc("email"), asc("name"), asc("created_at")])
    )
  })

  it("PAGE-11 T18 an unknown field or direction is an UNKNOWN_VALUE with the allowed values", () => {
    const field = Result.fail([unknownField])
    const direction = Result.fail([unknownDirection])
    const cases: ReadonlyArray<readonly [string, Result.Result<never, ReadonlyArray<unknown>>]> = [
      [".", field],
      [",desc", field],
      [",", Result.fail([unknownField, unknownDirection])],
      ["a,b", Result.fail([unknownField, unknownDirection])],
      ["name,asc,desc", direction],
      ["name,", direction],
      ["name,up", direction],
      ["Name", field],
      [" name", field],
      ["name ", field],
      ["name desc", field],
      ["name;drop table users", field],
      ["password", field],
      ["constructor", field],
      ["__proto__", field],
      ["toString,desc", field],
      ["\u0000", field],
      ["a".repeat(10_000), field],
      [",".repeat(10_000), Result.fail([unknownField, unknownDirection])]
    ]
    for (const [raw, expected] of cases) assert.deepStrictEqual<unknown>(parse([raw]), expected, raw.slice(0, 30))
  })

  it("PAGE-11 one invalid sort rejects the query, and each kind of problem is reported once", () => {
    assert.deepStrictEqual<unknown>(
      parse(["name", "b,c", "email,up", "d"]),
      Result.fail([unknownField, unknownDirection])
    )
    assert.deepStrictEqual<unknown>(
      parse(Array.from({ length: 1_000 }, (_, n) => `f${n}`)),
      Result.fail([unknownField])
    )
  })

  it("PAGE-09 PAGE-11 T18 a thousand sorts are reduced to one for each field", () => {
    const raw = Array.from({ length: 1_000 }, (_, n) => `${fields[n % 3] ?? "name"},${n % 2 === 0 ? "asc" : "desc"}`)
    assert.deepStrictEqual(parse(raw), Result.succeed([asc("created_at"), desc("name"), asc("email")]))
  })

  it("PAGE-11 a formatted order parses to itself", () => {
    fc.assert(
      fc.property(sortOf(fields), (sort) => {
        assert.deepStrictEqual<unknown>(parse(formatSort(sort)), Result.succeed(sort))
      }),
      { numRuns: 2_000 }
    )
  })

  it("PAGE-11 any texts are parsed as an order of known properties, each once, or rejected", () => {
    const texts = fc.oneof(
      illFormedText,
      fc.tuple(fc.constantFrom(...fields, "full_name", "x", ""), fc.constantFrom("", ",", ",asc", ",DESC", ",x")).map((
        parts
      ) => parts.join(""))
    )
    fc.assert(
      fc.property(fc.array(texts), (raw) => {
        const wellFormed = raw.every((text) =>
          text === "" || /^(created_at|(full_)?name|email)(,(asc|desc))?$/i.test(text)
        )
        const result = parse(raw)
        assert.strictEqual(Result.isSuccess(result), wellFormed)
        if (Result.isFailure(result)) return
        const properties = result.success.map(({ property }) => property)
        assert.strictEqual(new Set(properties).size, properties.length)
        assert.ok(properties.every((property) => fields.includes(property)))
        assert.deepStrictEqual(parse(formatSort(result.success)), result)
      }),
      { numRuns: 5_000 }
    )
  })
})
