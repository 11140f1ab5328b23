import {
  type FoldedText,
  foldText,
  type ListSlice,
  maxPageNumber,
  maxPageSize,
  type Page,
  pageOf,
  type PageRequest,
  type RawQuery,
  type SortBy,
  sortDirections,
  takePage
} from "@lastro/domain/input"
import * as fc from "fast-check"

const surrogates = { first: 0xd800, count: 0x800 }
/** The highest index of a character. Indexes number the code points without the surrogates. */
const lastIndex = 0x10ffff - surrogates.count

const fromIndex = (index: number): string =>
  String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)

const toIndex = (text: unknown): number => {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined
  const index = point === undefined || point < surrogates.first ? point : point - surrogates.count
  if (index === undefined || fromIndex(index) !== text) throw new Error("The value is not one Unicode character.")
  return index
}

/**
 * Any Unicode character but surrogates, as a string of one code point. As the `unit` of `fc.string`, it gives the same
 * texts as the unit `binary`, which fills a map of a million characters at its first use.
 */
export const codePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: lastIndex }).map(fromIndex, toIndex)

/** Characters that code often folds, sorts or matches wrongly. */
const troublesome = [
  "a",
  "A",
  "é",
  "e\u0301",
  "ß",
  "ẞ",
  "SS",
  "İ",
  "ı",
  "ſ",
  "Σ",
  "σ",
  "ς",
  "\u0345",
  "ᾳ",
  "ŉ",
  "ﬁ",
  "\u212b",
  "\u212a",
  "각",
  "\u0301",
  "\ufe0f",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\u{10400}",
  "\u{10ffff}",
  "%",
  "_",
  "\\",
  "'",
  " ",
  ",",
  "."
]

/** Well-formed Unicode text of any code points, many of them {@link troublesome}. */
export const unicodeText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.string({ unit: fc.constantFrom(...troublesome), maxLength: 6 }),
  fc.string({ unit: fc.oneof(fc.constantFrom(...troublesome), codePoint) })
)

/** Text of any UTF-16 code units, including unpaired surrogates, which UTF-8 cannot encode. */
export const illFormedText: fc.Arbitrary<string> = fc.oneof(
  unicodeText,
  fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0, 0xd800, 0xd801, 0xdbff, 0xdc00, 0xdc01, 0xdfff, 0xe000, 0xffff)
    ),
    { maxLength: 8 }
  ).map((units) => String.fromCharCode(...units))
)

/** Decimal integers as query text: with signs, leading zeros and up to 400 digits. */
export const integerText: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: -5, max: 150 }).map(String),
  fc.maxSafeInteger().map(String),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
  fc.tuple(
    fc.constantFrom("", "-"),
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 400 })
  )
    .map(([sign, digits]) => sign + digits)
)

/** Valid page requests, mostly small. */
export const pageRequest: fc.Arbitrary<PageRequest> = fc.record({
  number: fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 12 }) }, fc.integer({ min: 0, max: maxPageNumber })),
  size: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.integer({ min: 1, max: maxPageSize }))
})

/** Sort orders that name one or more of `fields`, each at most once. */
export const sortOf = <F extends string>(
  fields: readonly [F, ...Array<F>]
): fc.Arbitrary<readonly [SortBy<F>, ...Array<SortBy<F>>]> => {
  const step: fc.Arbitrary<SortBy<F>> = fc.record({
    property: fc.constantFrom(...fields),
    direction: fc.constantFrom(...sortDirections)
  })
  return fc.tuple(step, fc.uniqueArray(step, { selector: ({ property }) => property })).map(([first, rest]) => [
    first,
    ...rest.filter(({ property }) => property !== first.property)
  ])
}

/**
 * Queries with any text for these parameters, including invalid and hostile text. A parameter can be repeated or
 * absent.
 */
export const rawQuery = (names: ReadonlyArray<string>): fc.Arbitrary<RawQuery> => {
  const texts = fc.oneof(
    fc.constantFrom("", ".", ",", ",desc", "a,b", "name,asc,desc", "name,", "1e2", " 1", "1e308", "%", "\u0000", "-0"),
    integerText,
    illFormedText,
    fc.constantFrom(...names)
  )
  const values = fc.oneof(fc.constant(undefined), texts, fc.array(texts, { maxLength: 4 }))
  return fc.dictionary(fc.constantFrom(...names, "unknown", "constructor"), values)
}

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
 * Returns the folded search text of a needle: its fixed text, or the part that it selects from one of `texts`.
 * Undefined if this text is empty.
 */
export const needleIn = (texts: ReadonlyArray<string>, needle: Needle): FoldedText | undefined => {
  const folded = foldText("text" in needle ? needle.text : partOf(texts, needle))
  return folded === "" ? undefined : folded
}

/** Returns a part of one of these texts. Rows and positions are taken modulo the lengths. */
const partOf = (texts: ReadonlyArray<string>, { from, length, row }: Exclude<Needle, { readonly text: string }>) => {
  const characters = Array.from(texts[row % Math.max(1, texts.length)] ?? "")
  const start = from % Math.max(1, characters.length)
  return characters.slice(start, start + length).join("")
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
  sortOf(fields).chain((sort) => fc.tuple(...sort.map(sortValue)).map((values) => ({ values, sort })))

/** One value of the parameter `sort`: `field,direction`, or `field` for ascending order. */
const sortValue = ({ direction, property }: SortBy): fc.Arbitrary<string> => {
  const full = inSomeCase(direction).map((cased) => `${property},${cased}`)
  return direction === "asc" ? fc.oneof(full, fc.constant(property)) : full
}

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

/** Pages of a list. Their `sort` names one or more of `fields`, but their items are not sorted. */
export const listPageOf = <A, F extends string>(
  item: fc.Arbitrary<A>,
  fields: readonly [F, ...Array<F>]
): fc.Arbitrary<Page<A>> =>
  fc.tuple(requestedSlice(item), sortOf(fields)).map((
    [{ page, slice }, sort]: readonly [RequestedSlice<A>, ReadonlyArray<SortBy>]
  ) => pageOf(slice, { page, sort }))

/** Records with a few of these fields: mostly none, one or two. As filters, they usually match something. */
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
