import {
  asOperator,
  type FoundRecord,
  type InScope,
  judgeFound,
  type NotFound,
  type OutsideHierarchy,
  type SubtreeScope
} from "@lastro/domain/hierarchy"
import { type ListPosition, type ListQuery, type ListSlice } from "@lastro/domain/input"
import { type PartnerDetail } from "@lastro/domain/partner"
import { CostlyAbove, type ReadBudgetExceeded, withinBudget } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, type Option, Result } from "effect"

/** Returns the scope of callers who belong to this partner. */
export const scopeOfPartner = ({ partner_id }: PartnerDetail): SubtreeScope => asOperator.scope(partner_id)

/** Returns the record from the result of a find method, or the `_tag` of the error. */
export const recordOrRefusal = <A>(found: Option.Option<FoundRecord<A>>): A | "NotFound" | "OutsideHierarchy" =>
  Result.match(judgeFound(found), { onSuccess: ({ record }) => record, onFailure: ({ _tag }) => _tag })

/**
 * Runs a find method, and returns the record as an `InScope`, which the writing methods require. Fails if the record is
 * missing or out of scope.
 */
export const requireInScope = <A, E, R>(
  find: Effect.Effect<Option.Option<FoundRecord<A>>, E, R>
): Effect.Effect<InScope<A>, E | NotFound | OutsideHierarchy, R> =>
  Effect.flatMap(find, (found) => Effect.fromResult(judgeFound(found)))

/** Builds the query of a list. Default: the first page of 100 records, newest first. */
export const listQuery = <Filters, Field extends string>(
  filters: Filters,
  change: Partial<Omit<ListQuery<Filters, Field>, "filters">> = {}
): ListQuery<Filters, Field | "created_at"> => ({
  filters,
  page: { number: 0, size: 100 },
  sort: [{ property: "created_at", direction: "desc" }],
  ...change
})

/** Reads the pages of a list in order, up to and including the first empty page. */
export const readEveryPage = <A, E, R>(
  size: number,
  list: (page: { readonly number: number; readonly size: number }) => Effect.Effect<ListSlice<A>, E, R>
): Effect.Effect<ReadonlyArray<ListSlice<A>>, E, R> =>
  Effect.gen(function*() {
    const slices: Array<ListSlice<A>> = []
    do slices.push(yield* list({ number: slices.length, size }))
    while (slices.at(-1)?.items.length !== 0)
    return slices
  })

/**
 * Reads a list page by page with a cursor. `list` reads the page after a position; null is the start. Asserts that
 * every page but the last has `size` items.
 */
export const readWalk = <A, E, R>(
  size: number,
  list: (after: ListPosition | null) => Effect.Effect<ListSlice<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function*() {
    const items: Array<A> = []
    let after: ListPosition | null | undefined = null
    do {
      const page: ListSlice<A> = yield* list(after)
      items.push(...page.items)
      after = page.next
      assert.ok(after !== undefined, "a page of a walk has no `next`")
      if (after !== null) assert.lengthOf(page.items, size, "an incomplete page of a walk")
    } while (after !== null)
    return items
  })

/** Runs a read with a budget. Returns the result of the read, or "refused" if the read is over its budget. */
export const readWithin = <A, R>(
  budget: number,
  read: (budget: number) => Effect.Effect<A, ReadBudgetExceeded, R>
): Effect.Effect<A | "refused", never, R> =>
  withinBudget(read).pipe(
    Effect.provideService(CostlyAbove, budget),
    Effect.catchTag("ReadBudgetExceeded", () => Effect.succeed("refused" as const))
  )

/** A text with combining accents (Unicode NFD). An adapter that normalizes texts would change it. */
export const decomposedText = "Joa\u0303o D'A\u0301vila \u212b"
