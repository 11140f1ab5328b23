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

/** The stored rows of a list. */
interface StoredRows<Row> {
  /** All partners, also those without a row. The filters by partner and the callers are taken from them. */
  readonly partners: ReadonlyArray<PartnerDetail>
  readonly rows: ReadonlyArray<Row>
  /** The rows from which filter values are taken, including removed ones. Default: `rows`. */
  readonly candidates?: ReadonlyArray<Row>
}

type Candidates<Row> = Required<Pick<StoredRows<Row>, "candidates" | "partners">>

/** The value of a filter. `passes` returns whether a row matches it. */
interface ModelFilter<Row, Value> {
  readonly value: Value
  readonly passes: (row: Row) => boolean
}

/** The brute-force model of one filter. */
export interface FilterModel<Row, Value> {
  /** The random numbers that select a value of the filter. */
  readonly draw: fc.Arbitrary<Needle>
  /** Returns the filter that a draw selects. Undefined if no row has a value for it. */
  readonly filterFor: (draw: Needle, from: Candidates<Row>) => ModelFilter<Row, Value> | undefined
}

/** A model for each filter of a list. */
export type FilterModels<Row, Filters> = {
  readonly [K in keyof Filters]-?: FilterModel<Row, NonNullable<Filters[K]>>
}

/** Selects a row by `row`. `from` and `length` select a part of its value. */
type RowDraw = Exclude<Needle, { readonly text: string }>

const wholeRow: fc.Arbitrary<RowDraw> = fc.record({ row: fc.nat(), from: fc.constant(0), length: fc.constant(0) })

const select = <A>(values: ReadonlyArray<A>, { row }: RowDraw): A | undefined =>
  values[row % Math.max(1, values.length)]

const modelOf = <Row, Value, Draw extends Needle>(
  draw: fc.Arbitrary<Draw>,
  valueFor: (draw: Draw, from: Candidates<Row>) => Value | undefined,
  isMatch: (row: Row, value: Value) => boolean
): FilterModel<Row, Value> => ({
  draw,
  filterFor: (drawn, from) => {
    const value = valueFor(drawn as Draw, from)
    return value === undefined ? undefined : { value, passes: (row) => isMatch(row, value) }
  }
})

/** Models a filter that searches a field for a text, ignoring case and accents. */
export const containsText = <Row>(field: (row: Row) => string): FilterModel<Row, FoldedText> =>
  modelOf(
    needle,
    (draw, { candidates }) => needleIn(candidates.map(field), draw),
    (row, text) => matchesFolded(foldText(field(row)), text)
  )

/** Models a filter that searches a document number for a sequence of digits. */
export const containsDigits = <Row>(field: (row: Row) => string): FilterModel<Row, string> =>
  modelOf(
    fc.record({ row: fc.nat(), from: fc.nat({ max: 8 }), length: fc.integer({ min: 1, max: 4 }) }),
    (draw, { candidates }) => select(candidates.map(field), draw)?.slice(draw.from, draw.from + draw.length),
    (row, digits) => field(row).includes(digits)
  )

/** Models a filter whose value is one of these literals. */
export const equalsLiteral = <Row, Value>(
  field: (row: Row) => Value,
  literals: ReadonlyArray<Value>
): FilterModel<Row, Value> => modelOf(wholeRow, (draw) => select(literals, draw), (row, value) => field(row) === value)

/** Returns one value for an even draw, and up to three consecutive values for an odd draw. */
const oneOrThree = <A>(values: ReadonlyArray<A>, draw: number): ReadonlyArray<A> => {
  const first = draw % values.length
  return values.slice(first, first + (draw % 2 === 0 ? 1 : 3))
}

/** Models a filter by several values. Its values are those of one row or of three rows. */
export const isOneOfRows = <Row, Value>(field: (row: Row) => Value): FilterModel<Row, ReadonlyArray<Value>> =>
  modelOf(
    wholeRow,
    ({ row }, { candidates }) => candidates.length === 0 ? undefined : oneOrThree(candidates.map(field), row),
    (row, values) => values.includes(field(row))
  )

/** Models a filter by several of these literals. Its values are one or three of them. */
export const isOneOf = <Row, Value>(
  field: (row: Row) => Value,
  literals: ReadonlyArray<Value>
): FilterModel<Row, ReadonlyArray<Value>> =>
  modelOf(wholeRow, ({ row }) => oneOrThree(literals, row), (row, values) => values.includes(field(row)))

/** Models a filter by partner id. */
export const equalsPartner = <Row>(field: (row: Row) => PartnerId | null): FilterModel<Row, PartnerId> =>
  modelOf(wholeRow, (draw, { partners }) => select(partners, draw)?.partner_id, (row, value) => field(row) === value)

/** Models a filter whose value is that of the same field in some row. */
export const comparesField = <Row, Value>(
  field: (row: Row) => Value,
  isMatch: (value: Value, filter: Value) => boolean
): FilterModel<Row, Value> =>
  modelOf(
    wholeRow,
    (draw, { candidates }) => select(candidates.map(field), draw),
    (row, filter) => isMatch(field(row), filter)
  )

/** Returns whether metadata contain every entry of a filter. */
export const includesEntries = (metadata: Metadata, filter: Metadata): boolean =>
  Object.entries(filter).every(([key, value]) =>
    Object.entries(metadata).some(([ownKey, ownValue]) => ownKey === key && ownValue === value)
  )

/** Models a filter by metadata. It has entries of the metadata of a row, sometimes with values that no row has. */
export const includesMetadata = <Row extends { readonly metadata: Metadata }>(): FilterModel<Row, Metadata> =>
  modelOf(
    fc.record({ row: fc.nat(), from: fc.nat({ max: 7 }), length: fc.integer({ min: 1, max: 3 }) }),
    (draw, { candidates }) => {
      const nonEmpty = candidates.map(({ metadata }) => Object.entries(metadata)).filter(({ length }) => length > 0)
      const entries = select(nonEmpty, draw)
      if (entries === undefined) return undefined
      const start = draw.from % entries.length
      return Object.fromEntries(
        entries.slice(start, start + draw.length).map(([key, value]) => [key, draw.from === 7 ? `${value}?` : value])
      )
    },
    ({ metadata }, filter) => includesEntries(metadata, filter)
  )

/** A list method, and the brute-force model with which it is compared. */
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
          const modelFilters = Object.entries(models).flatMap(([name, { filterFor }]) => {
            const filter = draws[name] && filterFor(draws[name], { candidates, partners })
            return filter === undefined ? [] : [{ name, ...filter }]
          })
          const filters = Object.fromEntries(modelFilters.map(({ name, value }) => [name, value])) as Filters
          const expected = rows
            .filter((row) => isWithin(forest, top.partner_id, row.partner_id))
            .filter((row) => modelFilters.every(({ passes }) => passes(row)))
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
