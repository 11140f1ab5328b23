import {
  maxPageNumber,
  maxPageSize,
  type PageRequest,
  type RawQuery,
  type SortBy,
  sortDirections
} from "@lastro/domain/input"
import * as fc from "fast-check"
import { codePoint } from "./codePoint.ts"

/** Characters that are often folded, sorted or matched incorrectly. */
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
