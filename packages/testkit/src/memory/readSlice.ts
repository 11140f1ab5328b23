import { type SubtreeScope } from "@lastro/domain/hierarchy"
import {
  type FoldedText,
  foldText,
  type ListQuery,
  type ListSlice,
  matchesFolded,
  offsetOf,
  type PageRequest,
  takePage,
  type WholeQuery
} from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { matchesMetadata as matchesKeys, type Metadata, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { Effect, type Order, Stream } from "effect"
import { type MemoryState, treeOf } from "./MemoryState.ts"

/** Returns whether a text passes a text filter. Every text passes an undefined filter. */
export const matchesText = (text: string, part: FoldedText | undefined): boolean =>
  part === undefined || matchesFolded(foldText(text), part)

/** Returns whether a value equals a filter value. Every value passes an undefined filter. */
export const matchesValue = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted

/** Returns whether a value is one of the filter values. Every value passes an undefined filter. */
export const matchesAny = <A>(value: A, wanted: ReadonlyArray<NonNullable<A>> | undefined): boolean =>
  wanted === undefined || wanted.some((one) => one === value)

/** Returns whether metadata passes a filter. All metadata passes an undefined filter. */
export const matchesMetadata = (metadata: Metadata, wanted: Metadata | undefined): boolean =>
  wanted === undefined || matchesKeys(metadata, wanted)

/** Returns whether a time is at or after `from` and before `to`. An undefined bound does not apply. */
export const isBetween = (at: Timestamp | null, from: Timestamp | undefined, to: Timestamp | undefined): boolean =>
  (from === undefined || at !== null && at >= from) && (to === undefined || at !== null && at < to)

/** The records in the scope of a list query, and its filters, order and page. */
interface Read<Item, Filters extends object> {
  readonly inScope: ReadonlyArray<Item>
  readonly passes: (item: Item) => boolean
  readonly filters: Filters
  readonly order: Order.Order<Item>
  readonly page: PageRequest
  readonly budget: number | undefined
}

/**
 * Reads a page of a list. With a filter, every record in scope counts as examined. Without a filter, only the records up to the end of the
 * page count, because a database can keep them in order. If the number of examined records exceeds the read budget, the read is refused.
 */
export const readSlice = <Item, Filters extends object>(
  { budget = Number.POSITIVE_INFINITY, filters, inScope, order, page, passes }: Read<Item, Filters>
): Effect.Effect<ListSlice<Item>, ReadBudgetExceeded> => {
  const isFiltered = Object.keys(filters).length > 0
  const examined = isFiltered ? inScope.length : Math.min(inScope.length, offsetOf(page) + page.size)
  return examined > budget
    ? Effect.fail(new ReadBudgetExceeded())
    : Effect.succeed(takePage(inScope.filter(passes).toSorted(order), page))
}

/** The rows of a list, its filters and its order. */
interface ListedRows<Row, Filters, Field extends string> {
  readonly rows: (state: MemoryState) => ReadonlyArray<Row>
  readonly passes: (filters: Filters) => (row: Row) => boolean
  readonly inOrder: (sort: ListQuery<Filters, Field>["sort"]) => Order.Order<Row>
}

/** Makes the `exportAll` method of a repository: streams the rows that belong to partners in scope. */
export const exportRows =
  <Row extends { readonly partner_id: PartnerId }, Filters extends object, Field extends string>(
    state: Effect.Effect<MemoryState>,
    { inOrder, passes, rows }: ListedRows<Row, Filters, Field>
  ) =>
  (scope: SubtreeScope, { filters, sort }: WholeQuery<ListQuery<Filters, Field>>): Stream.Stream<Row> =>
    Stream.unwrap(Effect.map(state, (now) => {
      const tree = treeOf(now)
      const inScope = rows(now).filter(({ partner_id }) => tree.isWithin(scope.partner_id, partner_id))
      return Stream.fromIterable(inScope.filter(passes(filters)).toSorted(inOrder(sort)), { chunkSize: 100 })
    }))

/** Makes the `list` method of a repository: reads a page of the rows that belong to partners in scope. */
export const listRows = <Row extends { readonly partner_id: PartnerId }, Filters extends object, Field extends string>(
  state: Effect.Effect<MemoryState>,
  { inOrder, passes, rows }: ListedRows<Row, Filters, Field>
) =>
(
  scope: SubtreeScope,
  { filters, page, sort }: ListQuery<Filters, Field>,
  budget?: number
): Effect.Effect<ListSlice<Row>, ReadBudgetExceeded> =>
  Effect.flatMap(state, (now) => {
    const tree = treeOf(now)
    const inScope = rows(now).filter(({ partner_id }) => tree.isWithin(scope.partner_id, partner_id))
    return readSlice({ inScope, passes: passes(filters), filters, order: inOrder(sort), page, budget })
  })
