import * as fc from "fast-check"

const surrogates = { first: 0xd800, count: 0x800 }
const last = 0x10ffff - surrogates.count

const fromIndex = (index: number): string =>
  String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)

const toIndex = (text: unknown): number => {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined
  const index = point === undefined || point < surrogates.first ? point : point - surrogates.count
  if (index === undefined || fromIndex(index) !== text) throw new Error("The value is not one Unicode character.")
  return index
}

/**
 * Any Unicode character: a string of one code point, except surrogates. As the `unit` of `fc.string`, it gives the same texts
 * as the unit `binary`, for which fast-check fills a map of a million characters at its first use.
 */
export const codePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: last }).map(fromIndex, toIndex)
