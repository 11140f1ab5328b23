import { type ListSlice, offsetOf, type PageRequest, takePage } from "@lastro/domain/input"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Effect, type Order } from "effect"

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
