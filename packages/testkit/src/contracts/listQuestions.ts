import {
  type ListQuery,
  type PartnerDetail,
  type PartnerId,
  type Scope,
  type Slice,
  type SortKey
} from "@lastro/domain"
import { Effect } from "effect"
import * as fc from "fast-check"
import { sortOf } from "../arbitraries/paging.ts"
import { forestOf, isWithin } from "../hierarchy/naiveForest.ts"
import { listsAgree } from "./listsAgree.ts"
import { scopeOfPartner } from "./read.ts"

/** A question to a list: who asks, in which order, by pages of which size, and for what. Partners are meant by their place. */
export interface ListQuestion<Wanted, Field extends string> {
  readonly caller: number
  readonly sort: ListQuery<unknown, Field>["sort"]
  readonly size: number
  readonly filters: Wanted
}

/** Questions to a list that can be sorted by these fields. */
export const listQuestion = <Wanted, Field extends string>(
  fields: readonly [Field, ...Array<Field>],
  filters: fc.Arbitrary<Wanted>
): fc.Arbitrary<ListQuestion<Wanted, Field>> =>
  fc.record({
    // The first partner is a root: much to be seen, where any other mostly has little.
    caller: fc.oneof(fc.constant(0), fc.nat()),
    sort: sortOf(fields),
    size: fc.integer({ min: 1, max: 5 }),
    filters
  })

/** What there is to be listed, and how it is found, ordered and shown. */
export interface Listed<Row, Item, Wanted, Filters, Field extends string> {
  readonly partners: ReadonlyArray<PartnerDetail>
  readonly rows: ReadonlyArray<Row>
  readonly filtersOf: (wanted: Wanted) => Filters
  readonly passes: (filters: Filters) => (row: Row) => boolean
  readonly shown: (row: Row) => Item
  readonly keys: Readonly<Record<Field, SortKey<Item>>>
  readonly id: (item: Item) => string
}

/** Asks a list everything, and holds each answer against brute force over the naive model. */
export const questionsAgree = <
  Row extends { readonly partner_id: PartnerId },
  Item,
  Wanted,
  Filters,
  Field extends string,
  E,
  R
>(
  questions: ReadonlyArray<ListQuestion<Wanted, Field>>,
  { filtersOf, id, keys, partners, passes, rows, shown }: Listed<Row, Item, Wanted, Filters, Field>,
  list: (scope: Scope, query: ListQuery<Filters, Field>) => Effect.Effect<Slice<Item>, E, R>
): Effect.Effect<void, E, R> => {
  const parents = forestOf(partners)
  return Effect.forEach(questions, ({ caller, filters: wanted, size, sort }) => {
    const top = partners[caller % partners.length] as PartnerDetail
    const filters = filtersOf(wanted)
    const expected = rows
      .filter(({ partner_id }) => isWithin(parents, top.partner_id, partner_id))
      .filter(passes(filters))
      .map(shown)
    return listsAgree({ expected, keys, id, filters, sort, size }, (asked) => list(scopeOfPartner(top), asked))
  }, { discard: true })
}
