import { type SubtreeScope } from "@lastro/domain/hierarchy"
import {
  compareBy,
  type FoldedText,
  foldText,
  type ListQuery,
  type ListSlice,
  matchesFolded,
  offsetOf,
  positionBy,
  takePage,
  type WholeQuery
} from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { matchesMetadata as matchesKeys, type Metadata, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { Effect, type Order, Stream } from "effect"
import { type MemoryState, treeOf } from "./MemoryState.ts"

/** Returns whether a text matches a text filter. Without a filter, every text does. */
export const matchesText = (text: string, part: FoldedText | undefined): boolean =>
  part === undefined || matchesFolded(foldText(text), part)

/** Returns whether a value equals a filter value. Without a filter, every value does. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted

/** Returns whether a value is one of the filter values. Without a filter, every value is. */
export const matchesAny = <A>(value: A, wanted: ReadonlyArray<NonNullable<A>> | undefined): boolean =>
  wanted === undefined || wanted.some((option) => option === value)

/** Returns whether metadata matches a filter. Without a filter, all metadata does. */
export const matchesMetadata = (metadata: Metadata, wanted: Metadata | undefined): boolean =>
  wanted === undefined || matchesKeys(metadata, wanted)

/** Returns whether a time is at or after `from`, and before `to`. An absent bound is no limit. Null needs both absent. */
export const isBetween = (at: Timestamp | null, from: Timestamp | undefined, to: Timestamp | undefined): boolean =>
  (from === undefined || at !== null && at >= from) && (to === undefined || at !== null && at < to)

/** The order of a list, made from the parameters of `compareBy`. */
export class ListOrder<Row, Field extends string> {
  /** Returns the order of a sort. */
  readonly compare: (sort: ListQuery<unknown, Field>["sort"]) => Order.Order<Row>
  /** Returns the positions of rows in the order of a sort. */
  readonly positions: ReturnType<typeof positionBy<Row, Field>>

  constructor(...by: Parameters<typeof compareBy<Row, Field>>) {
    this.compare = compareBy<Row, Field>(...by)
    this.positions = positionBy<Row, Field>(...by)
  }
}

/** The records in the scope of a list query, its filter and order, and the maximum number of examined records. */
interface Read<Item, Field extends string> {
  readonly inScope: ReadonlyArray<Item>
  readonly passes: (item: Item) => boolean
  readonly query: ListQuery<object, Field>
  readonly order: ListOrder<Item, Field>
  readonly budget: number | undefined
}

/**
 * Reads a page of a list. Fails if the number of examined records exceeds the budget. With a filter, every record in
 * scope counts as examined. Without one, only the records up to the end of the page count, because a database can keep
 * them in order.
 */
export const readSlice = <Item, Field extends string>(
  { budget = Number.POSITIVE_INFINITY, inScope, order, passes, query: { after, filters, page, sort } }: Read<
    Item,
    Field
  >
): Effect.Effect<ListSlice<Item>, ReadBudgetExceeded> => {
  const isFiltered = Object.keys(filters).length > 0
  const examined = isFiltered ? inScope.length : Math.min(inScope.length, offsetOf(page) + page.size)
  if (examined > budget) return Effect.fail(new ReadBudgetExceeded())
  const sorted = inScope.filter(passes).toSorted(order.compare(sort))
  if (after === undefined) return Effect.succeed(takePage(sorted, page))
  const { follows, positionOf } = order.positions(sort)
  const following = after === null ? sorted : sorted.filter(follows(after))
  const items = following.slice(0, page.size)
  const last = items.at(-1)
  const next = last === undefined || following.length === items.length ? null : positionOf(last)
  return Effect.succeed({ items, total: items.length, next })
}

/** All rows of a list, its filter and its order. */
interface ListedRows<Row, Filters, Field extends string> {
  readonly rows: (state: MemoryState) => ReadonlyArray<Row>
  readonly passes: (filters: Filters) => (row: Row) => boolean
  readonly inOrder: ListOrder<Row, Field>
}

/** Makes the `exportAll` method of a repository: streams the rows of partners in scope. */
export const exportRows =
  <Row extends { readonly partner_id: PartnerId }, Filters extends object, Field extends string>(
    state: Effect.Effect<MemoryState>,
    { inOrder, passes, rows }: ListedRows<Row, Filters, Field>
  ) =>
  (scope: SubtreeScope, { filters, sort }: WholeQuery<ListQuery<Filters, Field>>): Stream.Stream<Row> =>
    Stream.unwrap(Effect.map(state, (now) => {
      const tree = treeOf(now)
      const inScope = rows(now).filter(({ partner_id }) => tree.isWithin(scope.partner_id, partner_id))
      return Stream.fromIterable(inScope.filter(passes(filters)).toSorted(inOrder.compare(sort)), { chunkSize: 100 })
    }))

/** Makes the `list` method of a repository: reads a page of the rows of partners in scope. */
export const listRows = <Row extends { readonly partner_id: PartnerId }, Filters extends object, Field extends string>(
  state: Effect.Effect<MemoryState>,
  { inOrder, passes, rows }: ListedRows<Row, Filters, Field>
) =>
(
  scope: SubtreeScope,
  query: ListQuery<Filters, Field>,
  budget?: number
): Effect.Effect<ListSlice<Row>, ReadBudgetExceeded> =>
  Effect.flatMap(state, (now) => {
    const tree = treeOf(now)
    const inScope = rows(now).filter(({ partner_id }) => tree.isWithin(scope.partner_id, partner_id))
    return readSlice({ inScope, passes: passes(query.filters), query, order: inOrder, budget })
  })
