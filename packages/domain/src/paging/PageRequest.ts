import { Result } from "effect"
import { type Problem, problem } from "../validation/FieldProblem.ts"
import { firstValue, type RawValue } from "./RawQuery.ts"

/** Which page of a list is wanted. `number` counts from 0, `size` is the number of items on a full page. */
export interface PageRequest {
  readonly number: number
  readonly size: number
}

/** The last page that can be asked for: high enough for any list, and its offset is still an exact integer. */
export const maxPageNumber = 1_000_000_000

/** The most items a page can hold. */
export const maxPageSize = 100

/** The items on a page when the caller does not say. */
export const defaultPageSize = 20

const bounded = (value: number, least: number, most: number, absent: number): number =>
  Number.isNaN(value) ? absent : Math.min(Math.max(Math.trunc(value), least), most)

/**
 * A page number lies between 0 and 1 000 000 000: what is below counts as 0, what is above as the bound, and absent is
 * 0.
 *
 * Total on numbers, for callers that are not HTTP: a fraction is cut off, NaN is absent.
 * @rule PAGE-02
 */
export const normalisePageNumber = (value: number = Number.NaN): number => bounded(value, 0, maxPageNumber, 0)

/**
 * A page size lies between 1 and 100: what is below counts as 1, what is above as 100, and absent is 20.
 *
 * Total on numbers, for callers that are not HTTP: a fraction is cut off, NaN is absent.
 * @rule PAGE-03
 */
export const normalisePageSize = (value: number = Number.NaN): number => bounded(value, 1, maxPageSize, defaultPageSize)

/** A page request inside the bounds, from numbers that may be missing or outside of them. Idempotent. */
export const normalisePage = (wanted: {
  readonly number?: number | undefined
  readonly size?: number | undefined
}): PageRequest => ({ number: normalisePageNumber(wanted.number), size: normalisePageSize(wanted.size) })

/**
 * An integer parameter is written as decimal digits, any number of them, with at most a minus sign before them;
 * anything else, an empty text included, is an INVALID_TYPE.
 *
 * The number returned is the nearest double, Infinity beyond 10^308: exact wherever the bounds of a page lie.
 * @rule PAGE-04
 */
export const parseInteger = (text: string): Result.Result<number, Problem> =>
  /^-?[0-9]+$/.test(text) ? Result.succeed(Number(text)) : Result.fail(problem("INVALID_TYPE", { expected: "integer" }))

const parseBounded = (normalise: (value?: number) => number) => (raw: RawValue): Result.Result<number, Problem> => {
  const text = firstValue(raw)
  return text === undefined ? Result.succeed(normalise()) : Result.map(parseInteger(text), normalise)
}

/** Reads the parameter `page`: a page number inside its bounds, or INVALID_TYPE for what is not an integer. */
export const parsePage: (raw: RawValue) => Result.Result<number, Problem> = parseBounded(normalisePageNumber)

/** Reads the parameter `size`: a page size inside its bounds, or INVALID_TYPE for what is not an integer. */
export const parseSize: (raw: RawValue) => Result.Result<number, Problem> = parseBounded(normalisePageSize)

/** How many items stand before the page; at most 10^11, so an exact integer. */
export const offsetOf = ({ number, size }: PageRequest): number => number * size
