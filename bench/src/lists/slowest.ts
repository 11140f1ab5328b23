import { Effect } from "effect"
import { timed } from "../measure/interleave.ts"
import { median } from "../measure/quantile.ts"
import { type ListedScope } from "./scopes.ts"

type List = (scope: ListedScope["scope"]) => Effect.Effect<unknown>

/** The slowest scopes first, by the median of some runs each, in turns. */
const ranked = Effect.fnUntraced(function*(scopes: ReadonlyArray<ListedScope>, list: List, runs: number) {
  const taken = scopes.map((scope) => ({ scope, times: [] as Array<number> }))
  for (let run = 0; run < runs; run++) {
    for (const { scope, times } of taken) times.push(yield* timed(list(scope.scope)))
  }
  return taken.toSorted((one, other) => median(other.times) - median(one.times)).map(({ scope }) => scope)
})

/** The scope whose list takes longest: of the ten that do by a few runs each, the one that does by many. */
export const slowest = Effect.fn("slowest")(function*(name: string, scopes: ReadonlyArray<ListedScope>, list: List) {
  const few = yield* ranked(scopes, list, 7)
  const [worst] = yield* ranked(few.slice(0, 10), list, 31)
  return worst === undefined ? [] : [{ ...worst, name }]
})
