import { type Page, pageOf, type PageRequest, type Slice, type SortBy, takePage } from "@lastro/domain"
import * as fc from "fast-check"
import { pageRequest, sortOf } from "./paging.ts"

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
