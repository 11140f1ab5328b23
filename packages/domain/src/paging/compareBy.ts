import { type Array as Arr, type Order } from "effect"
import { foldText } from "./fold.ts"
import { type SortBy } from "./Sort.ts"

/**
 * Texts are ordered by their Unicode code points, the shorter first where one begins with the other.
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
  // What is common may end within a surrogate pair: the code points that begin one unit earlier then differ already.
  const start = Math.max(index - 1, 0)
  return ascending(self.codePointAt(start) ?? 0, that.codePointAt(start) ?? 0)
    || ascending(self.codePointAt(index) ?? 0, that.codePointAt(index) ?? 0)
}

const ascending = (one: number, other: number): -1 | 0 | 1 => one < other ? -1 : one > other ? 1 : 0

/** Reads the value a property sorts by; `null` where the item has none. Instants are read as their ISO 8601 text. */
export type SortKey<A> =
  | ((item: A) => string | null)
  | ((item: A) => number | null)
  | ((item: A) => bigint | null)
  | ((item: A) => boolean | null)

/**
 * Values of one property are ordered so: texts by their folded form in code-point order, numbers by size, false before
 * true, and an absent value (`null`) as the greatest of all, last ascending and first descending.
 *
 * The place of `null` is PostgreSQL's default (NULLS LAST ascending, NULLS FIRST descending), and so is that of NaN,
 * above all numbers.
 * @rule PAGE-12
 */
export const compareValues: Order.Order<string | number | bigint | boolean | null> = (self, that) => {
  if (self === that) return 0
  if (self === null) return 1
  if (that === null) return -1
  if (typeof self === "string" || typeof that === "string") {
    return codePointOrder(foldText(String(self)), foldText(String(that)))
  }
  const [one, other] = [magnitude(self), magnitude(that)]
  if (one !== one) return other !== other ? 0 : 1
  if (other !== other) return -1
  return one < other ? -1 : one > other ? 1 : 0
}

const magnitude = (value: number | bigint | boolean): number | bigint =>
  typeof value === "boolean" ? Number(value) : value

/**
 * A list is ordered by its sorts, the first counting most, and items that are equal in all of them by their id in
 * code-point order, in the direction of the last sort: so two items never tie and the pages of an unchanging list
 * partition it.
 *
 * `keys` reads each property that may be sorted by, `id` the item's unique id. For repositories that keep their rows
 * in memory, and the specification of the order that every other repository has to give.
 * @rule PAGE-13
 */
export const compareBy = <A, F extends string>(
  keys: Readonly<Record<F, SortKey<A>>>,
  id: (item: A) => string
) =>
(sort: Arr.NonEmptyReadonlyArray<SortBy<F>>): Order.Order<A> =>
(self, that) => {
  let direction = sort[0].direction
  for (const one of sort) {
    direction = one.direction
    const key = keys[one.property]
    const order = compareValues(key(self), key(that))
    if (order !== 0) return directed(order, direction)
  }
  return directed(codePointOrder(id(self), id(that)), direction)
}

const directed = (order: -1 | 0 | 1, direction: SortBy["direction"]): -1 | 0 | 1 =>
  direction === "asc" || order === 0 ? order : order === 1 ? -1 : 1
