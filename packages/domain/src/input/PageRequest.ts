import { Result } from "effect"
import { type Problem } from "./FieldProblem.ts"
import { firstValue, type RawValue } from "./RawQuery.ts"
import { invalidType } from "./ValueType.ts"

/** A requested page of a list. `number` counts from 0; `size` is the number of items of a full page. */
export interface PageRequest {
  readonly number: number
  readonly size: number
}

/** The largest page number, whose offset is still an exact integer. */
export const maxPageNumber = 1_000_000_000

/** Maximum number of items on a page. A greater `size` is reduced to it. */
export const maxPageSize = 100

/** Number of items on a page without a `size`. */
export const defaultPageSize = 20

const bounded = (value: number, least: number, most: number, absent: number): number =>
  Number.isNaN(value) ? absent : Math.min(Math.max(Math.trunc(value), least), most)

/**
 * A page number is clamped to 0 … 1 000 000 000. Default: 0.
 *
 * Fractions are truncated, and NaN counts as absent.
 * @rule PAGE-02
 */
export const normalisePageNumber = (value: number = Number.NaN): number => bounded(value, 0, maxPageNumber, 0)

/**
 * A page size is clamped to 1 … 100. Default: 20.
 *
 * Fractions are truncated, and NaN counts as absent.
 * @rule PAGE-03
 */
export const normalisePageSize = (value: number = Number.NaN): number => bounded(value, 1, maxPageSize, defaultPageSize)

/**
 * An integer parameter consists of decimal digits, with an optional minus sign in front. Anything else, including an
 * empty text, is INVALID_TYPE.
 *
 * Returns the nearest double, which is exact within the bounds of a page.
 * @rule PAGE-04
 */
export const parseInteger = (text: string): Result.Result<number, Problem> =>
  /^-?[0-9]+$/.test(text) ? Result.succeed(Number(text)) : Result.fail(invalidType("integer"))

const parseBounded = (normalise: (value?: number) => number) => (raw: RawValue): Result.Result<number, Problem> => {
  const text = firstValue(raw)
  return text === undefined ? Result.succeed(normalise()) : Result.map(parseInteger(text), normalise)
}

/** Parses the parameter `page` and clamps it. Fails with INVALID_TYPE if it is not an integer. */
export const parsePage: (raw: RawValue) => Result.Result<number, Problem> = parseBounded(normalisePageNumber)

/** Parses the parameter `size` and clamps it. Fails with INVALID_TYPE if it is not an integer. */
export const parseSize: (raw: RawValue) => Result.Result<number, Problem> = parseBounded(normalisePageSize)

/** Returns the number of items before a page, at most 10^11. */
export const offsetOf = ({ number, size }: PageRequest): number => number * size
