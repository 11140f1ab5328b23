import { Schema } from "effect"
import { field } from "../validation/field.ts"
import { maxPageNumber, maxPageSize, offsetOf, type PageRequest } from "./PageRequest.ts"
import { type Slice } from "./Slice.ts"
import { type SortBy, sortDirections } from "./Sort.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Which page this is, as normalised, and how much there is in all. */
export const PageInfo = Schema.Struct({
  number: between(0, maxPageNumber).annotate({ description: "Page number, from 0", examples: [0] }),
  size: between(1, maxPageSize).annotate({ description: "Items on a full page", examples: [20] }),
  total_elements: between(0, Number.MAX_SAFE_INTEGER).annotate({ description: "Items on all pages", examples: [1] }),
  total_pages: between(0, Number.MAX_SAFE_INTEGER).annotate({
    description: "Number of pages that are not empty",
    examples: [1]
  })
}).annotate({ identifier: "PageInfo", description: "Page number and size as applied, and totals" })
export type PageInfo = typeof PageInfo.Type

/** One sort that was applied; the tie-breaker by id is not listed. */
export const SortInfo = Schema.Struct({
  property: field(Schema.String, "The sorted field", "created_at"),
  direction: field(Schema.Literals(sortDirections), "Ascending or descending", "desc")
}).annotate({ identifier: "SortInfo", description: "One sort as applied" })
export type SortInfo = typeof SortInfo.Type

/** One page of a list. */
export interface Page<A> {
  readonly content: ReadonlyArray<A>
  readonly page: PageInfo
  readonly sort: ReadonlyArray<SortInfo>
}

/** The schema of a page of `item`s; `identifier` is the record's name in an API description. */
export const pageSchema = <S extends Schema.Constraint>(item: S, identifier: string) =>
  Schema.Struct({
    content: field(Schema.Array(item), "The items of this page"),
    page: PageInfo,
    sort: field(Schema.Array(SortInfo), "The sort order as applied")
  }).annotate({ identifier, description: "One page of a list" })

/**
 * A list has as many pages as hold an item, the last perhaps not full; an empty list has none.
 * @rule PAGE-21
 */
export const totalPages = (totalElements: number, size: number): number => Math.ceil(totalElements / size)

/** The envelope of what a repository found, with the page and the order as they were applied. */
export const pageOf = <A>(
  { items, total }: Slice<A>,
  { page: { number, size }, sort }: { readonly page: PageRequest; readonly sort: ReadonlyArray<SortBy> }
): Page<A> => ({
  content: items,
  page: { number, size, total_elements: total, total_pages: totalPages(total, size) },
  sort: sort.map(({ direction, property }) => ({ property, direction }))
})

/**
 * A page holds the `size` items that stand after those of the pages before it; past the end it is empty.
 * @rule PAGE-22
 */
export const takePage = <A>(sorted: ReadonlyArray<A>, request: PageRequest): Slice<A> => ({
  items: sorted.slice(offsetOf(request), offsetOf(request) + request.size),
  total: sorted.length
})
