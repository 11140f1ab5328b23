import { Effect } from "effect"
import { timed } from "../measure/interleave.ts"
import { median } from "../measure/quantile.ts"
import { type ListedScope } from "./scopes.ts"

type List = (scope: ListedScope["scope"]) => Effect.Effect<unknown>

/** Sorts scopes by their median time over `runs` runs, slowest first. */
const ranked = Effect.fnUntraced(function*(scopes: ReadonlyArray<ListedScope>, list: List, runs: number) {
  const taken = scopes.map((scope) => ({ scope, times: [] as Array<number> }))
  for (let run = 0; run < runs; run++) {
    for (const { scope, times } of taken) times.push(yield* timed(list(scope.scope)))
  }
  return taken.toSorted((one, other) => median(other.times) - median(one.times)).map(({ scope }) => scope)
})

/** Finds the slowest scope. Ranks all scopes with a few runs, and then the ten slowest with many runs. */
export const slowest = Effect.fn("slowest")(function*(name: string, scopes: ReadonlyArray<ListedScope>, list: List) {
  const few = yield* ranked(scopes, list, 7)
  const [worst] = yield* ranked(few.slice(0, 10), list, 31)
  return worst === undefined ? [] : [{ ...worst, name }]
})
