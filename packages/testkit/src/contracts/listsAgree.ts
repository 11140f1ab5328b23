import { compareBy, type ListQuery, type SortKey } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { everyPage, type ListOf } from "./read.ts"

/** What a list has to show: the records in scope that pass the filters, by brute force, and how they are ordered. */
export interface ExpectedList<Item, Filters, Field extends string> {
  readonly expected: ReadonlyArray<Item>
  readonly keys: Readonly<Record<Field, SortKey<Item>>>
  readonly id: (item: Item) => string
  readonly filters: Filters
  readonly sort: ListQuery<Filters, Field>["sort"]
  readonly size: number
}

/**
 * Holds a list against what it has to show: every page's items in order, the same total on each, pages that partition
 * the whole, and an empty page with the same total past the end and far beyond it.
 */
export const listsAgree = <Item, Filters, Field extends string, E, R>(
  { expected, filters, id, keys, size, sort }: ExpectedList<Item, Filters, Field>,
  list: ListOf<Item, Filters, Field, E, R>
): Effect.Effect<void, E, R> =>
  Effect.gen(function*() {
    const sorted = expected.toSorted(compareBy(keys, id)(sort))
    const pages = yield* everyPage(size, (page) => list({ filters, page, sort }))
    assert.deepStrictEqual(pages.flatMap(({ items }) => items), sorted)
    assert.deepStrictEqual(
      pages.map(({ items }) => items.length),
      Array.from({ length: pages.length }, (_, page) => Math.min(size, Math.max(0, sorted.length - page * size)))
    )
    assert.deepStrictEqual(new Set(pages.map(({ total }) => total)), new Set([sorted.length]))
  })
