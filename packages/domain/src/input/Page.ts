import { Schema } from "effect"
import { field } from "./field.ts"
import { maxPageNumber, maxPageSize, offsetOf, type PageRequest } from "./PageRequest.ts"
import { type SortBy, sortDirections } from "./Sort.ts"

/**
 * A position in the order of a list: the sort values and the id of a record, in a form that the repository chooses. It
 * can contain personal data.
 */
export type ListPosition = ReadonlyArray<string | number | boolean | null>

/** One page from a repository: its items, and the number of items on all pages. */
export interface ListSlice<A> {
  readonly items: ReadonlyArray<A>
  /** In a walk, the number of items of this page only. */
  readonly total: number
  /** Only in a walk: the position of the last item. Null if no record follows it. */
  readonly next?: ListPosition | null
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** The applied page number and size, and the totals of the list. */
export const PageInfo = Schema.Struct({
  number: between(0, maxPageNumber).annotate({ description: "Page number, from 0", examples: [0] }),
  size: between(1, maxPageSize).annotate({ description: "Items on a full page", examples: [20] }),
  total_elements: between(0, Number.MAX_SAFE_INTEGER).annotate({ description: "Items on all pages", examples: [1] }),
  total_pages: between(0, Number.MAX_SAFE_INTEGER).annotate({
    description: "Number of pages that are not empty",
    examples: [1]
  })
}).annotate({
  identifier: "PageInfo",
  description: "The page number and size that were applied, and the totals of the list"
})
export type PageInfo = typeof PageInfo.Type

/** An applied sort criterion. The last criterion, the id that breaks ties, is not included. */
export const SortInfo = Schema.Struct({
  property: field(Schema.String, "The sorted field, as named in the request", "created_at"),
  direction: field(Schema.Literals(sortDirections), "Ascending or descending", "desc")
}).annotate({ identifier: "SortInfo", description: "A sort criterion that was applied" })
export type SortInfo = typeof SortInfo.Type

/** A page of a list. */
export interface Page<A> {
  readonly content: ReadonlyArray<A>
  readonly page: PageInfo
  readonly sort: ReadonlyArray<SortInfo>
  /** Only in a walk: the cursor of the next page. Null on the last page. */
  readonly next?: string | null
}

/** The schema of a page of items. `identifier` is the name of the schema in the OpenAPI document. */
export const pageSchema = <S extends Schema.Constraint>(item: S, identifier: string) =>
  Schema.Struct({
    content: field(Schema.Array(item), "The items of this page"),
    page: PageInfo,
    sort: field(Schema.Array(SortInfo), "The sort order that was applied"),
    next: Schema.optionalKey(field(
      Schema.NullOr(Schema.String),
      "Only in the answer to a request with `after`: the cursor of the next page. Null on the last page.",
      null
    ))
  }).annotate({ identifier, description: "One page of a list" })

/**
 * The number of pages is the number of items divided by the page size, rounded up. An empty list has no pages.
 * @rule PAGE-21
 */
export const totalPages = (totalElements: number, size: number): number => Math.ceil(totalElements / size)

/** Builds a page from the items that a repository returned. The page names its sort properties as in the request. */
export const pageOf = <A>(
  { items, total }: ListSlice<A>,
  { page: { number, size }, sort }: { readonly page: PageRequest; readonly sort: ReadonlyArray<SortBy> }
): Page<A> => ({
  content: items,
  page: { number, size, total_elements: total, total_pages: totalPages(total, size) },
  sort: sort.map(({ alias, direction, property }) => ({ property: alias ?? property, direction }))
})

/**
 * A page has at most `size` items, after the items of the previous pages. A page past the end is empty.
 * @rule PAGE-22
 */
export const takePage = <A>(sorted: ReadonlyArray<A>, request: PageRequest): ListSlice<A> => ({
  items: sorted.slice(offsetOf(request), offsetOf(request) + request.size),
  total: sorted.length
})
