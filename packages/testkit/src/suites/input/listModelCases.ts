import { type SubtreeScope } from "@lastro/domain/hierarchy"
import {
  compareBy,
  type FoldedText,
  foldText,
  type ListQuery,
  type ListSlice,
  matchesFolded,
  type PageRequest,
  type SortKey,
  type WholeQuery
} from "@lastro/domain/input"
import { type PartnerDetail } from "@lastro/domain/partner"
import { CostlyAbove, type ReadBudgetExceeded } from "@lastro/domain/ports"
import { type Metadata, type PartnerId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { type Needle, needle, needleIn, sortOf, sparse } from "../../arbitraries/paging.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readEveryPage, readWalk, scopeOfPartner } from "../suite/queries.ts"

/** The stored rows of a list, and the rows and partners from which filter values are taken. */
interface StoredRows<Row> {
  readonly partners: ReadonlyArray<PartnerDetail>
  readonly rows: ReadonlyArray<Row>
  /** The rows from which filter values are taken, including removed ones. Default: `rows`. */
  readonly candidates?: ReadonlyArray<Row>
}

type Candidates<Row> = Required<Pick<StoredRows<Row>, "candidates" | "partners">>

/** A filter value, and the predicate for matching rows. */
interface ModelFilter<Row, Value> {
  readonly value: Value
  readonly passes: (row: Row) => boolean
}

/** The brute-force model of one filter. */
export interface FilterModel<Row, Value> {
  readonly draw: fc.Arbitrary<Needle>
  /** Returns a filter by a random value. Undefined if no row has a value for this filter. */
  readonly filterFor: (draw: Needle, from: Candidates<Row>) => ModelFilter<Row, Value> | undefined
}

/** A model for each filter of a list. */
export type FilterModels<Row, Filters> = {
  readonly [K in keyof Filters]-?: FilterModel<Row, NonNullable<Filters[K]>>
}

const rowDraw: fc.Arbitrary<Needle> = fc.record({ row: fc.nat(), from: fc.constant(0), length: fc.constant(0) })

const drawFrom = <A>(values: ReadonlyArray<A>, draw: Needle): A | undefined =>
  "row" in draw && values.length > 0 ? values[draw.row % values.length] : undefined

const modelOf = <Row, Value>(
  valueFor: (draw: Needle, from: Candidates<Row>) => Value | undefined,
  isMatch: (row: Row, value: Value) => boolean,
  draw: fc.Arbitrary<Needle> = rowDraw
): FilterModel<Row, Value> => ({
  draw,
  filterFor: (draw, from) => {
    const value = valueFor(draw, from)
    return value === undefined ? undefined : { value, passes: (row) => isMatch(row, value) }
  }
})

/** Models a filter that searches a field for a text, without regard to letter case and accents. */
export const containsText = <Row>(field: (row: Row) => string): FilterModel<Row, FoldedText> =>
  modelOf(
    (draw, { candidates }) => needleIn(candidates.map(field), draw),
    (row, text) => matchesFolded(foldText(field(row)), text),
    needle
  )

/** Models a filter that searches a document number for a sequence of digits. */
export const containsDigits = <Row>(field: (row: Row) => string): FilterModel<Row, string> =>
  modelOf(
    (draw, { candidates }) => {
      const document = drawFrom(candidates, draw)
      return document === undefined || !("row" in draw)
        ? undefined
        : field(document).slice(draw.from, draw.from + draw.length)
    },
    (row, digits) => field(row).includes(digits),
    fc.record({ row: fc.nat(), from: fc.nat({ max: 8 }), length: fc.integer({ min: 1, max: 4 }) })
  )

/** Models a filter whose value is one of these literals. */
export const equalsLiteral = <Row, Value>(
  field: (row: Row) => Value,
  literals: ReadonlyArray<Value>
): FilterModel<Row, Value> => modelOf((draw) => drawFrom(literals, draw), (row, value) => field(row) === value)

/** Models a filter by the value of one row, and by those of three rows. */
export const isOneOfRows = <Row, Value>(field: (row: Row) => Value): FilterModel<Row, ReadonlyArray<Value>> =>
  modelOf(
    (draw, { candidates }) => {
      if (!("row" in draw) || candidates.length === 0) return
      const first = draw.row % candidates.length
      return candidates.slice(first, first + (draw.row % 2 === 0 ? 1 : 3)).map(field)
    },
    (row, values) => values.includes(field(row))
  )

/** Models a filter by one of these literals, or by three consecutive ones. */
export const isOneOf = <Row, Value>(
  field: (row: Row) => Value,
  literals: ReadonlyArray<Value>
): FilterModel<Row, ReadonlyArray<Value>> =>
  modelOf(
    (draw) => {
      const [first, count] = "row" in draw ? [draw.row % literals.length, draw.row % 2 === 0 ? 1 : 3] : [0, 1]
      return literals.slice(first, first + count)
    },
    (row, values) => values.includes(field(row))
  )

/** Models a filter by partner id. */
export const equalsPartner = <Row>(field: (row: Row) => PartnerId | null): FilterModel<Row, PartnerId> =>
  modelOf((draw, { partners }) => drawFrom(partners, draw)?.partner_id, (row, value) => field(row) === value)

/** Models a filter that compares a field with a value from the same field of some row. */
export const comparesField = <Row, Value>(
  field: (row: Row) => Value,
  isMatch: (value: Value, filter: Value) => boolean
): FilterModel<Row, Value> =>
  modelOf(
    (draw, { candidates }) => drawFrom(candidates.map(field), draw),
    (row, filter) => isMatch(field(row), filter)
  )

/** Models a filter by metadata. Its value is a part of the metadata of a row, or a text that no row has. */
export const includesMetadata = <Row extends { readonly metadata: Metadata }>(): FilterModel<Row, Metadata> =>
  modelOf(
    (draw, { candidates }) => {
      const drawn = drawFrom(candidates.filter(({ metadata }) => Object.keys(metadata).length > 0), draw)
      if (drawn === undefined || !("row" in draw)) return undefined
      const entries = Object.entries(drawn.metadata)
      const start = draw.from % entries.length
      return Object.fromEntries(
        entries.slice(start, start + draw.length).map(([key, value]) => [key, draw.from === 7 ? `${value}?` : value])
      )
    },
    ({ metadata }, filter) =>
      Object.entries(filter).every(([key, value]) =>
        Object.entries(metadata).some(([own, text]) => own === key && text === value)
      ),
    fc.record({ row: fc.nat(), from: fc.nat({ max: 7 }), length: fc.integer({ min: 1, max: 3 }) })
  )

/** A list method, its storage, and the brute-force model with which it is compared. */
export interface ListModel<Example, Row, Item, Filters, Field extends string, R> {
  readonly examples: fc.Arbitrary<Example>
  readonly store: (example: Example) => Effect.Effect<StoredRows<Row>, never, R>
  readonly list: (
    scope: SubtreeScope,
    query: ListQuery<Filters, Field>
  ) => Effect.Effect<ListSlice<Item>, ReadBudgetExceeded, R>
  readonly exportAll: (
    scope: SubtreeScope,
    query: WholeQuery<ListQuery<Filters, Field>>
  ) => Stream.Stream<Item, never, R>
  readonly filters: Readonly<Record<string, FilterModel<Row, unknown>>>
  readonly sortKeys: Readonly<Record<Field, SortKey<Item>>>
  readonly sortFields: readonly [Field, ...Array<Field>]
  /** The sort fields whose absent values come last in both directions. Default: none. */
  readonly nullsLast?: ReadonlyArray<Field>
  readonly item: (row: Row) => Item
  readonly id: (item: Item) => string
}

/** Asserts that the pages of a list contain exactly the expected items, and that each page has the correct total. */
const comparePages = <Item, E, R>(
  expected: ReadonlyArray<Item>,
  size: number,
  list: (page: { readonly number: number; readonly size: number }) => Effect.Effect<ListSlice<Item>, E, R>
) =>
  Effect.map(readEveryPage(size, list), (pages) => {
    assert.deepStrictEqual(pages.flatMap(({ items }) => items), expected)
    assert.deepStrictEqual(
      pages.map(({ items }) => items.length),
      Array.from({ length: pages.length }, (_, page) => Math.min(size, Math.max(0, expected.length - page * size)))
    )
    assert.deepStrictEqual(new Set(pages.map(({ total }) => total)), new Set([expected.length]))
  })

/** Contract cases that compare a list with a brute-force model over the naive forest, for random queries. */
export const listModelCases =
  <Example, Row extends { readonly partner_id: PartnerId }, Item, Filters, Field extends string, R>(
    { examples, exportAll, filters: models, id, item, list, nullsLast, sortFields, sortKeys, store }: ListModel<
      Example,
      Row,
      Item,
      Filters,
      Field,
      R
    >
  ): ContractCases<R> =>
  (it) => {
    const query = fc.record({
      // The first partner is a root with a large scope. The scopes of other partners are mostly small.
      caller: fc.oneof(fc.constant(0), fc.nat()),
      sort: sortOf(sortFields),
      size: fc.integer({ min: 1, max: 5 }),
      // The number of examined records above which a list is costly. Repositories read costly lists in another way.
      costlyAbove: fc.constantFrom(0, 3, 8_000),
      draws: sparse(Object.fromEntries(Object.entries(models).map(([name, { draw }]) => [name, draw])))
    })
    it.forAll(
      "T02 T03 `list`, a walk and `exportAll` return the same as the brute-force model, for random trees, callers, filters and sorts",
      fc.record({ example: examples, queries: fc.array(query, { minLength: 1, maxLength: 4 }) }),
      function*({ example, queries }) {
        const { partners, rows, candidates = rows } = yield* store(example)
        const forest = forestOf(partners)
        for (const { caller, costlyAbove, draws, size, sort } of queries) {
          const top = partners[caller % partners.length] as PartnerDetail
          const drawn = Object.entries(models).flatMap(([name, { filterFor }]) => {
            const filter = draws[name] && filterFor(draws[name], { candidates, partners })
            return filter === undefined ? [] : [[name, filter] as const]
          })
          const filters = Object.fromEntries(drawn.map(([name, { value }]) => [name, value])) as Filters
          const expected = rows
            .filter((row) => isWithin(forest, top.partner_id, row.partner_id))
            .filter((row) => drawn.every(([, { passes }]) => passes(row)))
            .map(item)
            .toSorted(compareBy(sortKeys, id, nullsLast)(sort))
          const read = (page: PageRequest) => list(scopeOfPartner(top), { filters, page, sort })
          yield* Effect.provideService(comparePages(expected, size, read), CostlyAbove, costlyAbove)
          const walk = readWalk(
            size,
            (after) => list(scopeOfPartner(top), { filters, page: { number: 0, size }, sort, after })
          )
          assert.deepStrictEqual(yield* Effect.provideService(walk, CostlyAbove, costlyAbove), expected)
          const whole = yield* Stream.runCollect(exportAll(scopeOfPartner(top), { filters, sort }))
          assert.deepStrictEqual(whole, expected)
        }
      }
    )
  }
