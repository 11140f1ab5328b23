import { type ListSlice, offsetOf, type PageRequest, takePage } from "@lastro/domain/input"
import { exceedBudget, ReadBudget } from "@lastro/domain/ports"
import { Effect, type Order } from "effect"

/** The records in the scope of a list query, and its filters, order and page. */
interface Read<Item, Filters extends object> {
  readonly inScope: ReadonlyArray<Item>
  readonly passes: (item: Item) => boolean
  readonly filters: Filters
  readonly order: Order.Order<Item>
  readonly page: PageRequest
}

/**
 * Reads a page of a list. With a filter, every record in scope counts as examined. Without a filter, only the records up to the end of the
 * page count, because a database can keep them in order. If the number of examined records exceeds the read budget, the read is refused.
 */
export const readSlice = <Item, Filters extends object>(
  { filters, inScope, order, page, passes }: Read<Item, Filters>
): Effect.Effect<ListSlice<Item>> =>
  Effect.flatMap(ReadBudget, (budget) => {
    const isFiltered = Object.keys(filters).length > 0
    const examined = isFiltered ? inScope.length : Math.min(inScope.length, offsetOf(page) + page.size)
    return examined > budget ? exceedBudget : Effect.succeed(takePage(inScope.filter(passes).toSorted(order), page))
  })
