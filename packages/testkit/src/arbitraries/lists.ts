import {
  type FoldedText,
  foldText,
  type ListSlice,
  type Page,
  pageOf,
  type PageRequest,
  type SortBy,
  takePage
} from "@lastro/domain/input"
import * as fc from "fast-check"
import { pageRequest, sortOf } from "./paging.ts"

/**
 * A search text: either a fixed text, or part of one of the searched texts. `row` selects the searched text, modulo the
 * number of texts. `from` selects the start of the part, modulo the length of that text.
 */
export type Needle = { readonly text: string } | {
  readonly row: number
  readonly from: number
  readonly length: number
}

/** Search texts: mostly parts of the searched texts, sometimes wildcards of SQL or any other text. */
export const needle: fc.Arbitrary<Needle> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ row: fc.nat(), from: fc.nat({ max: 20 }), length: fc.integer({ min: 1, max: 4 }) })
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("%", "_", "\\", "%%", "a%", "'", "SILVA", "é", "SS").map((text) => ({ text }))
  }
)

/**
 * Returns the search text that `wanted` selects from the searched texts, without differences of case and accents (folded). Undefined if the
 * result is empty.
 */
export const needleIn = (texts: ReadonlyArray<string>, wanted: Needle): FoldedText | undefined => {
  const characters = "text" in wanted ? [wanted.text] : Array.from(texts[wanted.row % Math.max(1, texts.length)] ?? "")
  const from = "text" in wanted ? 0 : wanted.from % Math.max(1, characters.length)
  const folded = foldText(characters.slice(from, "text" in wanted ? 1 : from + wanted.length).join(""))
  return folded === "" ? undefined : folded
}

/** A value of the parameter `sort`, and the order that it selects. */
export interface SortExample<F extends string> {
  readonly values: ReadonlyArray<string>
  readonly sort: ReadonlyArray<SortBy<F>>
}

const inSomeCase = (text: string): fc.Arbitrary<string> =>
  fc.tuple(...Array.from(text, (letter) => fc.constantFrom(letter, letter.toUpperCase())))
    .map((letters) => letters.join(""))

/** Valid values of the parameter `sort`, with directions in upper and lower case. Some omit `asc`. */
export const sortValues = <F extends string>(fields: readonly [F, ...Array<F>]): fc.Arbitrary<SortExample<F>> =>
  sortOf(fields).chain((sort) =>
    fc.tuple(...sort.map(({ direction, property }) => {
      const full = inSomeCase(direction).map((cased) => `${property},${cased}`)
      return direction === "asc" ? fc.oneof(full, fc.constant(property)) : full
    })).map((values) => ({ values, sort }))
  )

/** A page of a list, and the request for it. */
interface RequestedSlice<A> {
  readonly slice: ListSlice<A>
  readonly page: PageRequest
}

const requestedSlice = <A>(item: fc.Arbitrary<A>): fc.Arbitrary<RequestedSlice<A>> =>
  fc.tuple(fc.array(item, { maxLength: 30 }), pageRequest)
    .map(([items, page]) => ({ slice: takePage(items, page), page }))

/** Parts of lists (slices), as repositories return them: full pages, last pages, and pages past the end. */
export const sliceOf = <A>(item: fc.Arbitrary<A>): fc.Arbitrary<ListSlice<A>> =>
  requestedSlice(item).map(({ slice }) => slice)

/** Pages of a list. The `sort` of a page names one or more of `fields`, but the items are not sorted. */
export const listPageOf = <A, F extends string>(
  item: fc.Arbitrary<A>,
  fields: readonly [F, ...Array<F>]
): fc.Arbitrary<Page<A>> =>
  fc.tuple(requestedSlice(item), sortOf(fields)).map((
    [{ page, slice }, sort]: readonly [RequestedSlice<A>, ReadonlyArray<SortBy>]
  ) => pageOf(slice, { page, sort }))

/**
 * Records with a subset of these fields: mostly none, one or two, sometimes more. Used as filters,
 * such records usually match something, because they set so few fields.
 */
export const sparse = <T extends object>(
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }
): fc.Arbitrary<Partial<T>> => {
  const names = Object.keys(fields) as Array<keyof T>
  const some = (count: number) =>
    fc.subarray(names, { minLength: count, maxLength: count }).chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name]]))) as fc.Arbitrary<Partial<T>>
    )
  return fc.oneof(
    { weight: 3, arbitrary: some(0) },
    { weight: 3, arbitrary: some(1) },
    { weight: 3, arbitrary: some(2) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>> }
  )
}
