import {
  fold,
  type Folded,
  type Page,
  pageOf,
  type PageRequest,
  type Slice,
  type SortBy,
  takePage
} from "@lastro/domain"
import * as fc from "fast-check"
import { pageRequest, sortOf } from "./paging.ts"

/** A part of one of the texts it will be searched in, by places counted around, or a text of its own. */
export type Needle = { readonly text: string } | {
  readonly row: number
  readonly from: number
  readonly length: number
}

/** What to search texts for: mostly parts of them, sometimes what a database takes for a wildcard, or nothing of theirs. */
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

/** The text a needle stands for among these; undefined when folding leaves nothing of it, which no filter ever is. */
export const needleIn = (texts: ReadonlyArray<string>, wanted: Needle): Folded | undefined => {
  const characters = "text" in wanted ? [wanted.text] : Array.from(texts[wanted.row % Math.max(1, texts.length)] ?? "")
  const from = "text" in wanted ? 0 : wanted.from % Math.max(1, characters.length)
  const folded = fold(characters.slice(from, "text" in wanted ? 1 : from + wanted.length).join(""))
  return folded === "" ? undefined : folded
}

/** Values of the parameter `sort` with the order they ask for. */
export interface SortExample<F extends string> {
  readonly values: ReadonlyArray<string>
  readonly sort: ReadonlyArray<SortBy<F>>
}

const inSomeCase = (text: string): fc.Arbitrary<string> =>
  fc.tuple(...Array.from(text, (letter) => fc.constantFrom(letter, letter.toUpperCase())))
    .map((letters) => letters.join(""))

/** Valid values of the parameter `sort`: directions in any letter case, an ascending one left out of some. */
export const sortValues = <F extends string>(fields: readonly [F, ...Array<F>]): fc.Arbitrary<SortExample<F>> =>
  sortOf(fields).chain((sort) =>
    fc.tuple(...sort.map(({ direction, property }) => {
      const full = inSomeCase(direction).map((cased) => `${property},${cased}`)
      return direction === "asc" ? fc.oneof(full, fc.constant(property)) : full
    })).map((values) => ({ values, sort }))
  )

/** A page of a list, and what was asked for. */
interface Asked<A> {
  readonly slice: Slice<A>
  readonly page: PageRequest
}

const asked = <A>(item: fc.Arbitrary<A>): fc.Arbitrary<Asked<A>> =>
  fc.tuple(fc.array(item, { maxLength: 30 }), pageRequest)
    .map(([items, page]) => ({ slice: takePage(items, page), page }))

/** What repositories answer to a list's query: full pages, last pages, and pages past the end. */
export const sliceOf = <A>(item: fc.Arbitrary<A>): fc.Arbitrary<Slice<A>> => asked(item).map(({ slice }) => slice)

/** Pages as lists answer them, sorted by one or more of `fields`, or so they say. */
export const listPageOf = <A, F extends string>(
  item: fc.Arbitrary<A>,
  fields: readonly [F, ...Array<F>]
): fc.Arbitrary<Page<A>> =>
  fc.tuple(asked(item), sortOf(fields)).map(([{ page, slice }, sort]: readonly [Asked<A>, ReadonlyArray<SortBy>]) =>
    pageOf(slice, { page, sort })
  )

/**
 * Records with none of these fields, with one, with two, or seldom with any number: filters made this way leave something
 * to be seen most of the time.
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
