import { assert, describe, it } from "@effect/vitest"
import { pageRequest, sortOf, unicodeText } from "@lastro/testkit/arbitraries"
import { Schema } from "effect"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { compareBy } from "../../src/input/compareBy.ts"
import { PageInfo, pageOf, pageSchema, SortInfo, takePage, totalPages } from "../../src/input/Page.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly rank: number | null
}

const fields = ["name", "rank"] as const
const compare = compareBy<Row, typeof fields[number]>(
  { name: ({ name }) => name, rank: ({ rank }) => rank },
  ({ id }) => id
)

const lists: fc.Arbitrary<ReadonlyArray<Row>> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    name: fc.oneof(fc.constantFrom("", "a", "A", "á"), unicodeText),
    rank: fc.option(fc.integer({ min: 0, max: 2 }))
  }),
  { selector: ({ id }) => id, maxLength: 40 }
)

describe("Page", () => {
  it("PAGE-21 counts the non-empty pages", () => {
    const cases: ReadonlyArray<readonly [number, number, number]> = [
      [0, 20, 0],
      [1, 20, 1],
      [20, 20, 1],
      [21, 20, 2],
      [5, 1, 5],
      [1_000_000, 100, 10_000]
    ]
    for (const [total, size, pages] of cases) assert.strictEqual(totalPages(total, size), pages)
  })

  it("PAGE-21 PAGE-22 the pages partition the list, under every sort and storage order", () => {
    fc.assert(
      fc.property(lists, sortOf(fields), fc.integer({ min: 1, max: 12 }), (list, sort, size) => {
        const sorted = list.toSorted(compare(sort))
        const { total_pages } = pageOf(takePage(sorted, { number: 0, size }), { page: { number: 0, size }, sort }).page
        // As with separate requests, each page sorts a list stored in another order.
        const pages = Array.from({ length: total_pages }, (_, number) => {
          const stored = [...list.slice(number % (list.length || 1)), ...list.slice(0, number % (list.length || 1))]
          return takePage(stored.toSorted(compare(sort)), { number, size }).items
        })
        assert.deepStrictEqual(pages.flat(), sorted)
        assert.ok(pages.every((page) => page.length > 0 && page.length <= size))
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("PAGE-22 T20 a page past the end is empty and reports the full count", () => {
    fc.assert(
      fc.property(lists, pageRequest, (list, page) => {
        const { items, total } = takePage(list, page)
        assert.strictEqual(total, list.length)
        assert.strictEqual(items.length, Math.max(0, Math.min(page.size, list.length - page.number * page.size)))
      }),
      { numRuns: examples(1_000) }
    )
    assert.deepStrictEqual(takePage([1, 2, 3], { number: 1_000_000_000, size: 100 }), { items: [], total: 3 })
  })

  it("echoes the applied page and order", () => {
    const sort = [{ property: "name", direction: "desc" }, { property: "rank", direction: "asc" }] as const
    assert.deepStrictEqual(pageOf({ items: ["x"], total: 41 }, { page: { number: 2, size: 20 }, sort }), {
      content: ["x"],
      page: { number: 2, size: 20, total_elements: 41, total_pages: 3 },
      sort
    })
  })

  it("PAGE-11 echoes the alias with which a property was named", () => {
    const sort = [{ property: "name", direction: "desc", alias: "full_name" }] as const
    const page = pageOf({ items: [], total: 0 }, { page: { number: 0, size: 20 }, sort })
    assert.deepStrictEqual(page.sort, [{ property: "full_name", direction: "desc" }])
  })

  it("every envelope of a normalised request matches its schema", () => {
    const Names = pageSchema(Schema.String, "NamesPage")
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(), pageRequest, sortOf(fields), (items, total, page, sort) => {
        const envelope = pageOf({ items, total }, { page, sort })
        assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(Names)(JSON.parse(JSON.stringify(envelope))), envelope)
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("records have their names of the API description", () => {
    const definitions = Schema.toJsonSchemaDocument(pageSchema(Schema.String, "NamesPage")).definitions
    assert.deepStrictEqual(Object.keys(definitions).toSorted(), ["NamesPage", "PageInfo", "SortInfo"])
    assert.deepStrictEqual(Object.keys(PageInfo.fields), ["number", "size", "total_elements", "total_pages"])
    assert.deepStrictEqual(Object.keys(SortInfo.fields), ["property", "direction"])
  })
})
