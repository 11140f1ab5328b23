import { assert, describe, it } from "@effect/vitest"
import { rawQuery } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { parseChoiceFilter, parseCpfFilter, parseTextFilter } from "../../src/input/Filter.ts"
import { foldText } from "../../src/input/fold.ts"
import { parseAfter, parseListQuery } from "../../src/input/ListQuery.ts"
import { allValues, firstValue, type RawQuery } from "../../src/input/RawQuery.ts"

const parse = parseListQuery({
  filters: { full_name: parseTextFilter, cpf: parseCpfFilter, status: parseChoiceFilter(["ACTIVE", "INACTIVE"]) },
  fields: ["created_at", "name"],
  aliases: { full_name: "name" }
})

const problemsOf = (raw: RawQuery): ReadonlyArray<string> =>
  Result.match(parse(raw), {
    onSuccess: () => [],
    onFailure: ({ problems }) => problems.map(({ code, field }) => `${field} ${code}`).toSorted()
  })

const defaults = { filters: {}, page: { number: 0, size: 20 }, sort: [{ property: "created_at", direction: "desc" }] }

describe("ListQuery", () => {
  it("PAGE-23 parses page, sort and filters; a missing or empty filter is absent", () => {
    assert.deepStrictEqual<unknown>(parse({}), Result.succeed(defaults))
    assert.deepStrictEqual<unknown>(
      parse({ full_name: "", cpf: [""], status: undefined, sort: "" }),
      Result.succeed(defaults)
    )
    assert.deepStrictEqual<unknown>(
      parse({ page: "3", size: "500", sort: ["full_name,DESC", "created_at"], full_name: "JOSÉ", cpf: "529.9" }),
      Result.succeed({
        filters: { full_name: foldText("jose"), cpf: "5299" },
        page: { number: 3, size: 100 },
        sort: [{ property: "name", direction: "desc", alias: "full_name" }, {
          property: "created_at",
          direction: "asc"
        }]
      })
    )
  })

  it("PAGE-36 `after` begins or continues a walk, and leaves no place for a page number", () => {
    for (const [raw, after] of [["", ""], ["start", ""], ["abc", "abc"], [["abc", "d"], "abc"]] as const) {
      assert.deepStrictEqual<unknown>(
        parse({ after: raw, size: "5" }),
        Result.succeed({
          ...defaults,
          page: { number: 0, size: 5 },
          after
        })
      )
    }
    assert.deepStrictEqual<unknown>(parse({ after: [] }), Result.succeed(defaults))
    assert.deepStrictEqual(parseAfter({ page: "3" }), Result.succeed(undefined))
    assert.deepStrictEqual(problemsOf({ after: "", page: "0" }), ["query.page UNKNOWN_FIELD"])
    assert.deepStrictEqual(problemsOf({ after: "x", page: "y", sort: "z" }), [
      "query.page INVALID_TYPE",
      "query.page UNKNOWN_FIELD",
      "query.sort UNKNOWN_VALUE"
    ])
  })

  it("PAGE-23 reports every problem at once, each on its parameter", () => {
    assert.deepStrictEqual(
      problemsOf({ page: "x", size: "1e2", sort: ["password,up"], full_name: "\u0000", cpf: "-", status: "active" }),
      [
        "query.cpf INVALID_FORMAT",
        "query.full_name INVALID_FORMAT",
        "query.page INVALID_TYPE",
        "query.size INVALID_TYPE",
        "query.sort UNKNOWN_VALUE",
        "query.sort UNKNOWN_VALUE",
        "query.status UNKNOWN_VALUE"
      ]
    )
  })

  it("PAGE-23 any single invalid parameter rejects the query", () => {
    assert.deepStrictEqual(problemsOf({ page: "" }), ["query.page INVALID_TYPE"])
    assert.deepStrictEqual(problemsOf({ size: " 1" }), ["query.size INVALID_TYPE"])
    assert.deepStrictEqual(problemsOf({ sort: "." }), ["query.sort UNKNOWN_VALUE"])
    assert.deepStrictEqual(problemsOf({ status: "x", page: "1" }), ["query.status UNKNOWN_VALUE"])
  })

  it("PAGE-31 refuses unknown parameters, with the other problems", () => {
    const raw = Object.fromEntries([["unknown", "x"], ["constructor", "y"], ["__proto__", "z"], ["PAGE", "x"]])
    assert.deepStrictEqual(
      problemsOf({ ...raw, page: "" }).toSorted(),
      ["PAGE", "__proto__", "constructor", "page", "unknown"].map((name) =>
        `query.${name} ${name === "page" ? "INVALID_TYPE" : "UNKNOWN_FIELD"}`
      )
    )
    assert.deepStrictEqual<unknown>(parse({ unknown: undefined, other: [] }), Result.succeed(defaults))
  })

  it("PAGE-01 the first value of a repeated filter counts", () => {
    assert.deepStrictEqual(problemsOf({ status: ["ACTIVE", "x"] }), [])
    assert.deepStrictEqual(problemsOf({ status: ["x", "ACTIVE"] }), ["query.status UNKNOWN_VALUE"])
    assert.deepStrictEqual<unknown>(parse({ status: ["", "ACTIVE"] }), Result.succeed(defaults))
  })

  it("PAGE-23 any query is parsed within the bounds, or rejected with the invalid parameters", () => {
    const parameters = ["page", "size", "sort", "full_name", "cpf", "status"]
    fc.assert(
      fc.property(rawQuery(parameters), (raw) => {
        const result = parse(raw)
        if (Result.isFailure(result)) {
          assert.isNotEmpty(result.failure.problems)
          for (const { code, field } of result.failure.problems) {
            const name = field.replace(/^query\./, "")
            assert.strictEqual(parameters.includes(name), code !== "UNKNOWN_FIELD")
            assert.isDefined(raw[name])
            // Each reported parameter is also rejected on its own.
            assert.include(problemsOf({ [name]: raw[name] }).join(), field)
          }
        } else {
          const { filters, page, sort } = result.success
          assert.ok(page.number >= 0 && page.number <= 1e9 && page.size >= 1 && page.size <= 100)
          assert.ok(sort.length <= 2)
          assert.ok(Object.values(filters).every((value) => value !== ""))
        }
      }),
      { numRuns: examples(2_000) }
    )
  })
})

describe("RawQuery", () => {
  it("PAGE-01 the first value of a repeated single-value parameter counts", () => {
    assert.strictEqual(firstValue(["1", "2"]), "1")
    assert.strictEqual(firstValue(["", "2"]), "")
    assert.strictEqual(firstValue("3"), "3")
    assert.strictEqual(firstValue([]), undefined)
    assert.strictEqual(firstValue(undefined), undefined)
  })

  it("returns every value of a repeatable parameter in order", () => {
    assert.deepStrictEqual(allValues(["b", "", "a"]), ["b", "", "a"])
    assert.deepStrictEqual(allValues("a"), ["a"])
    assert.deepStrictEqual(allValues(undefined), [])
  })
})
