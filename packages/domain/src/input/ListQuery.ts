import { type Array as Arr, Option, Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "./FieldProblem.ts"
import type { FilterParser } from "./Filter.ts"
import { type ListPosition } from "./Page.ts"
import { type PageRequest, parsePage, parseSize } from "./PageRequest.ts"
import { allValues, firstValue, type RawQuery, unknownParameters } from "./RawQuery.ts"
import { parseSort, type SortBy } from "./Sort.ts"
import { ValidationFailed } from "./ValidationFailed.ts"

/** A list query: filters (combined with AND), order and page. */
export interface ListQuery<Filters, Field extends string> {
  readonly filters: Filters
  readonly page: PageRequest
  readonly sort: Arr.NonEmptyReadonlyArray<SortBy<Field>>
  /**
   * Present in a walk. The result then has the first `page.size` records after this position, or from the beginning if
   * it is null. `page.number` is 0.
   */
  readonly after?: ListPosition | null
}

/** A list query before its cursor is verified. `after` is the cursor, or empty to begin a walk. */
export type RequestedQuery<Filters, Field extends string> = Omit<ListQuery<Filters, Field>, "after"> & {
  readonly after?: string
}

/** A list query for all matching records, without a page. */
export type WholeQuery<Query> = Omit<Query, "after" | "page">

/** The parsers of the filters of a list, by parameter name. `after`, `page`, `size` and `sort` are reserved. */
export type FilterParsers =
  & Readonly<Record<string, FilterParser<unknown>>>
  & { readonly after?: never; readonly page?: never; readonly size?: never; readonly sort?: never }

/** The parsed filters of a list query. Absent and empty filters have no key. */
export type FilterValues<P extends FilterParsers> = {
  readonly [K in keyof P]?: P[K] extends FilterParser<infer A> ? A : never
}

/** A filter that consists of several parameters. */
export interface GroupParser<A> {
  /** Returns whether a parameter belongs to the filter. */
  readonly owns: (name: string) => boolean
  /** Returns the value of the filter, none if the filter is empty, or the problems of its parameters. */
  readonly parse: (raw: RawQuery) => Result.Result<Option.Option<A>, ReadonlyArray<FieldProblem>>
}

/** The parsers of the filters with several parameters, by filter name. */
export type GroupParsers = Readonly<Record<string, GroupParser<unknown>>>

/** The parsed filters with several parameters. Absent filters have no key. */
export type GroupValues<G extends GroupParsers> = {
  readonly [K in keyof G]?: G[K] extends GroupParser<infer A> ? A : never
}

/**
 * The definition of a list: its filters with one parameter, its filters with several parameters (`groups`), its sort
 * properties, and aliases of these properties.
 */
export interface ListDefinition<
  P extends FilterParsers,
  F extends string,
  G extends GroupParsers,
  T extends string = "created_at"
> {
  readonly filters: P
  readonly groups?: G
  readonly fields: ReadonlyArray<F>
  readonly aliases?: Readonly<Record<string, F>>
  /** The field with the time of a record, by which the list is sorted by default. Default: `created_at`. */
  readonly time?: T
}

const isUnknown = ({ code }: FieldProblem): boolean => code === "UNKNOWN_FIELD"

/** The parameters of every list. */
const reserved = ["after", "page", "size", "sort"]

/** The parsed filters of a query, and the problems of its filters and unknown parameters. */
interface ReadFilters {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: ReadonlyArray<FieldProblem>
}

const readFilters = (
  { filters, groups = {} }: Pick<ListDefinition<FilterParsers, string, GroupParsers>, "filters" | "groups">,
  otherParameters: ReadonlyArray<string>
) => {
  const parsers = Object.entries<FilterParser<unknown>>(filters)
  const grouped = Object.entries<GroupParser<unknown>>(groups)
  const known = new Set([...otherParameters, ...Object.keys(filters)])
  const isKnown = (name: string) => known.has(name) || grouped.some(([, { owns }]) => owns(name))
  return (raw: RawQuery): ReadFilters => {
    const problems: Array<FieldProblem> = [...unknownParameters(raw, isKnown)]
    const values = new Map<string, unknown>()
    for (const [name, parse] of parsers) {
      const result = parse(firstValue(raw[name]) ?? "")
      if (Result.isFailure(result)) problems.push(fieldProblem(`query.${name}`, result.failure))
      else if (Option.isSome(result.success)) values.set(name, result.success.value)
    }
    for (const [name, { parse }] of grouped) {
      const result = parse(raw)
      if (Result.isFailure(result)) problems.push(...result.failure)
      else if (Option.isSome(result.success)) values.set(name, result.success.value)
    }
    return { values: Object.fromEntries(values), problems }
  }
}

/**
 * Parses a query that has filters but no pages, such as that of a count. `page`, `size` and `sort` are unknown
 * parameters (PAGE-31).
 */
export const parseFilters = <const P extends FilterParsers, const G extends GroupParsers>(
  definition: { readonly filters: P; readonly groups: G }
): (raw: RawQuery) => Result.Result<FilterValues<P> & GroupValues<G>, ValidationFailed> => {
  const readValues = readFilters(definition, [])
  return (raw) => {
    const { problems, values } = readValues(raw)
    return problems.length > 0
      ? Result.fail(new ValidationFailed({ problems }))
      : Result.succeed(values as FilterValues<P> & GroupValues<G>)
  }
}

/**
 * A request with the parameter `after` reads a page of a walk. Its value is the cursor of the previous page. Empty or
 * `start` begins a walk. The pages of a walk have no number, so `page` is an unknown parameter beside `after`.
 * @rule PAGE-36
 */
export const parseAfter = (raw: RawQuery): Result.Result<string | undefined, FieldProblem> => {
  const after = firstValue(raw["after"])
  if (after === undefined) return Result.succeed(undefined)
  return firstValue(raw["page"]) === undefined
    ? Result.succeed(after === "start" ? "" : after)
    : Result.fail(fieldProblem("query.page", problem("UNKNOWN_FIELD")))
}

/**
 * One response reports all problems of a list query: its page, size, sort, filters and unknown parameters (PAGE-31).
 * The field of a problem is `query.NAME`, where NAME is the parameter.
 * @rule PAGE-23
 */
export const parseListQuery = <
  const P extends FilterParsers,
  const F extends string,
  const G extends GroupParsers = Record<never, never>,
  const T extends string = "created_at"
>(
  { aliases, fields, filters, groups, time }: ListDefinition<P, F, G, T>
): (
  raw: RawQuery
) => Result.Result<RequestedQuery<FilterValues<P> & GroupValues<G>, F | T>, ValidationFailed> => {
  const readSort = parseSort<F, T>(fields, aliases, time)
  const readValues = readFilters(groups === undefined ? { filters } : { filters, groups }, reserved)
  return (raw) => {
    const { problems: problemsOfFilters, values } = readValues(raw)
    const problems: Array<FieldProblem> = problemsOfFilters.filter(isUnknown)
    const read = <A>(name: string, result: Result.Result<A, Problem>): A | undefined => {
      if (Result.isSuccess(result)) return result.success
      problems.push(fieldProblem(`query.${name}`, result.failure))
    }
    const number = read("page", parsePage(raw["page"]))
    const size = read("size", parseSize(raw["size"]))
    problems.push(...problemsOfFilters.filter((found) => !isUnknown(found)))
    const sort = readSort(allValues(raw["sort"]))
    if (Result.isFailure(sort)) problems.push(...sort.failure)
    const after = parseAfter(raw)
    if (Result.isFailure(after)) problems.push(after.failure)
    if (
      problems.length > 0 || number === undefined || size === undefined || Result.isFailure(sort) ||
      Result.isFailure(after)
    ) return Result.fail(new ValidationFailed({ problems }))
    return Result.succeed({
      filters: values as FilterValues<P> & GroupValues<G>,
      page: { number, size },
      sort: sort.success,
      ...after.success === undefined ? {} : { after: after.success }
    })
  }
}
