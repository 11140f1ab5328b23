import { Effect, Option } from "effect"
import { type SubtreeScope } from "../hierarchy/Scope.ts"
import { fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { type ListQuery, type RequestedQuery } from "../input/ListQuery.ts"
import { type ListSlice, type Page, pageOf } from "../input/Page.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { cursorContext, CursorSeal, openCursor, sealCursor } from "./CursorSeal.ts"

const afterRefused = (reason: Problem) => new ValidationFailed({ problems: [fieldProblem("query.after", reason)] })

/**
 * A walk with cursors shows each record exactly once, in the order of the list, if the position of the record does not
 * change. Records that are created, changed or deleted meanwhile cause no other record to be skipped or repeated. All
 * pages have the total of the first page.
 *
 * Reads a page of the list with this name. Without `after`, `read` is called once, and the page has no cursor.
 * @rule PAGE-39
 */
export const readListPage = Effect.fnUntraced(function*<Filters, Field extends string, A, E, R>(
  list: string,
  scope: SubtreeScope,
  { after, ...query }: RequestedQuery<Filters, Field>,
  read: (query: ListQuery<Filters, Field>) => Effect.Effect<ListSlice<A>, E, R>
): Effect.fn.Return<Page<A>, E | ValidationFailed, R> {
  if (after === undefined) return pageOf(yield* read(query), query)
  const seal = yield* Effect.serviceOption(CursorSeal)
  // A facade of some ports can lack the port for cursors. It supports no walks.
  if (Option.isNone(seal)) return yield* afterRefused(problem("UNKNOWN_FIELD"))
  const context = cursorContext(list, scope, query)
  const opened = after === "" ? Option.none() : yield* openCursor(seal.value, after, context)
  if (after !== "" && Option.isNone(opened)) {
    return yield* afterRefused(invalidFormat("cursor of a page with the same filters and sort"))
  }
  const [number, total, position] = Option.isSome(opened)
    ? opened.value
    : [0, (yield* read({ ...query, page: { number: 0, size: 1 } })).total, null] as const
  const { items, next } = yield* read({ ...query, page: { number: 0, size: query.page.size }, after: position })
  // The repository of a host can lack support for walks.
  if (next === undefined) return yield* afterRefused(problem("UNKNOWN_FIELD"))
  const page = pageOf({ items, total }, { page: { number, size: query.page.size }, sort: query.sort })
  return {
    ...page,
    next: next === null ? null : yield* sealCursor(seal.value, [number + 1, total, next], context)
  }
})
