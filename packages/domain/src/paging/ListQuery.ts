import { type Array as Arr, Option, Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, ValidationFailed } from "../validation/FieldProblem.ts"
import type { FilterParser } from "./Filter.ts"
import { type PageRequest, parsePage, parseSize } from "./PageRequest.ts"
import { allValues, firstValue, type RawQuery } from "./RawQuery.ts"
import { parseSort, type SortBy } from "./Sort.ts"

/** A list query: filters (combined with AND), order and page. */
export interface ListQuery<Filters, Field extends string> {
  readonly filters: Filters
  readonly page: PageRequest
  readonly sort: Arr.NonEmptyReadonlyArray<SortBy<Field>>
}

/** The parsers of the filters of a list, by parameter name. `page`, `size` and `sort` are reserved. */
export type FilterParsers =
  & Readonly<Record<string, FilterParser<unknown>>>
  & { readonly page?: never; readonly size?: never; readonly sort?: never }

/** The parsed filters of a list query. Absent and empty filters have no key. */
export type FilterValues<P extends FilterParsers> = {
  readonly [K in keyof P]?: P[K] extends FilterParser<infer A> ? A : never
}

/** The filters of a list, the properties that the list can be sorted by, and aliases of these properties. */
export interface ListDefinition<P extends FilterParsers, F extends string> {
  readonly filters: P
  readonly fields: ReadonlyArray<F>
  readonly aliases?: Readonly<Record<string, F>>
}

/**
 * All problems with the page, size, sort and filters of a list query are reported in one response. The field of each problem is
 * `query.NAME`, where NAME is the parameter. Unknown parameters are ignored.
 * @rule PAGE-23
 */
export const parseListQuery = <const P extends FilterParsers, const F extends string>(
  { aliases, fields, filters }: ListDefinition<P, F>
): (raw: RawQuery) => Result.Result<ListQuery<FilterValues<P>, F | "created_at">, ValidationFailed> => {
  const readSort = parseSort(fields, aliases)
  const parsers = Object.entries<FilterParser<unknown>>(filters)
  return (raw) => {
    const problems: Array<FieldProblem> = []
    const read = <A>(name: string, result: Result.Result<A, Problem>): A | undefined => {
      if (Result.isSuccess(result)) return result.success
      problems.push(fieldProblem(`query.${name}`, result.failure))
    }
    const number = read("page", parsePage(raw["page"]))
    const size = read("size", parseSize(raw["size"]))
    const values = parsers.flatMap(([name, parse]) => {
      const value = read(name, parse(firstValue(raw[name]) ?? ""))
      return value !== undefined && Option.isSome(value) ? [[name, value.value] as const] : []
    })
    const sort = readSort(allValues(raw["sort"]))
    if (Result.isFailure(sort)) problems.push(...sort.failure)
    return number === undefined || size === undefined || Result.isFailure(sort) || problems.length > 0
      ? Result.fail(new ValidationFailed({ problems }))
      : Result.succeed({
        filters: Object.fromEntries(values) as FilterValues<P>,
        page: { number, size },
        sort: sort.success
      })
  }
}
