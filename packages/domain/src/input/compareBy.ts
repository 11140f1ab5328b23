import { type Array as Arr, type Order } from "effect"
import { foldText } from "./fold.ts"
import { type ListPosition } from "./Page.ts"
import { type SortBy } from "./Sort.ts"

/**
 * Texts are ordered by their Unicode code points. If one text is a prefix of the other, the shorter text comes first.
 *
 * This is the order of PostgreSQL's collation "C" on UTF-8. JavaScript's `<` compares UTF-16 code units instead, which
 * puts U+10000 and above before U+E000 to U+FFFF.
 * @rule PAGE-07
 */
export const codePointOrder: Order.Order<string> = (self, that) => {
  const length = Math.min(self.length, that.length)
  let index = 0
  while (index < length && self.charCodeAt(index) === that.charCodeAt(index)) index++
  if (index === length) return ascending(self.length, that.length)
  // The common prefix can end inside a surrogate pair. Then the code points to compare start one code unit earlier.
  const start = Math.max(index - 1, 0)
  return ascending(self.codePointAt(start) ?? 0, that.codePointAt(start) ?? 0)
    || ascending(self.codePointAt(index) ?? 0, that.codePointAt(index) ?? 0)
}

/**
 * Returns the sort key of a code, such as a status. Replaces `_` by `~`: in an upper-case code, `_` comes after all
 * letters, but after folding to lower case it would come before them. `~` comes after them in both cases.
 */
export const codeSortKey = (code: string): string => code.replaceAll("_", "~")

const ascending = (a: number, b: number): -1 | 0 | 1 => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Returns the value by which an item is sorted, or `null` if the item has no such value. Instants are returned as ISO
 * 8601 text.
 */
export type SortKey<A> =
  | ((item: A) => string | null)
  | ((item: A) => number | null)
  | ((item: A) => bigint | null)
  | ((item: A) => boolean | null)

/**
 * Texts are ordered by the code points of their folded form (PAGE-05), numbers by size, and false before true. An
 * absent value (`null`) is the greatest: it comes last in ascending order and first in descending order.
 *
 * This is PostgreSQL's default order of `null`. NaN is greater than all numbers, as in PostgreSQL.
 * @rule PAGE-12
 */
export const compareValues: Order.Order<Value> = (self, that) => {
  if (self === that) return 0
  if (self === null) return 1
  if (that === null) return -1
  if (typeof self === "string" || typeof that === "string") {
    return codePointOrder(foldText(String(self)), foldText(String(that)))
  }
  const [a, b] = [magnitude(self), magnitude(that)]
  if (isNotANumber(a)) return isNotANumber(b) ? 0 : 1
  if (isNotANumber(b)) return -1
  if (a === b) return 0
  return a < b ? -1 : 1
}

type Value = string | number | bigint | boolean | null

const isNotANumber = (value: number | bigint): boolean => typeof value === "number" && Number.isNaN(value)

const magnitude = (value: number | bigint | boolean): number | bigint =>
  typeof value === "boolean" ? Number(value) : value

/**
 * A list is ordered by its sort criteria, the first one first, and then by id. The id is compared in code-point order
 * and in the direction of the last criterion. Therefore two items never tie, and each item of an unchanged list is on
 * exactly one page.
 *
 * `keys` returns the values of the sortable properties, and `id` the unique id of an item. In-memory repositories call
 * this function, and other repositories must return the same order. If a property is in `nullsLast`, items without a
 * value of it come last in both directions.
 * @rule PAGE-13
 */
export const compareBy = <A, F extends string>(
  keys: Readonly<Record<F, SortKey<A>>>,
  id: (item: A) => string,
  nullsLast: ReadonlyArray<F> = []
) =>
(sort: Arr.NonEmptyReadonlyArray<SortBy<F>>): Order.Order<A> =>
  compareKeys(
    sort,
    (item: A, { property }) => keys[property](item),
    id,
    nullsLast
  )

const compareKeys = <A, F extends string>(
  sort: Arr.NonEmptyReadonlyArray<SortBy<F>>,
  keyOf: (item: A, by: SortBy<F>, index: number) => Value,
  id: (item: A) => string,
  nullsLast: ReadonlyArray<F>
): Order.Order<A> =>
(self, that) => {
  let direction = sort[0].direction
  for (const [index, by] of sort.entries()) {
    direction = by.direction
    const [first, second] = [keyOf(self, by, index), keyOf(that, by, index)]
    const order = compareValues(first, second)
    const isLast = nullsLast.includes(by.property) && (first === null || second === null)
    if (order !== 0) return isLast ? order : directed(order, direction)
  }
  return directed(codePointOrder(id(self), id(that)), direction)
}

/**
 * A position in a list consists of the sort values and the id of a record. It stays valid if this record is changed or
 * deleted: the walk continues with the first record after the position, in the order of PAGE-13.
 *
 * Returns two functions for in-memory repositories: one returns the position of an item, the other whether an item
 * comes after a position. A position contains texts unfolded, and they are folded for the comparison.
 * @rule PAGE-37
 */
export const positionBy = <A, F extends string>(
  keys: Readonly<Record<F, SortKey<A>>>,
  id: (item: A) => string,
  nullsLast: ReadonlyArray<F> = []
) =>
(sort: Arr.NonEmptyReadonlyArray<SortBy<F>>) => {
  const positionOf = (item: A): ListPosition => [
    ...sort.map(({ property }) => {
      const value = keys[property](item)
      return typeof value === "bigint" ? Number(value) : value
    }),
    id(item)
  ]
  const order = compareKeys<ListPosition, F>(
    sort,
    (position, _, index) => position[index] ?? null,
    (position) => String(position.at(-1)),
    nullsLast
  )
  return { positionOf, follows: (position: ListPosition) => (item: A) => order(positionOf(item), position) > 0 }
}

const directed = (order: -1 | 0 | 1, direction: SortBy["direction"]): -1 | 0 | 1 => {
  if (direction === "asc" || order === 0) return order
  return order === 1 ? -1 : 1
}
