import { Effect } from "effect"
import { timed } from "../measure/interleave.ts"
import { median } from "../measure/quantile.ts"
import { type ListedScope } from "./scopes.ts"

/** Runs of each scope; the first ones warm it up. */
const runs = 7

/** The scope whose list takes longest, by the median of a few runs each. */
export const slowest = Effect.fn("slowest")(function*(
  scopes: ReadonlyArray<ListedScope>,
  list: (scope: ListedScope["scope"]) => Effect.Effect<unknown>
) {
  let worst: { readonly scope: ListedScope; readonly took: number } | undefined
  for (const scope of scopes) {
    const times: Array<number> = []
    for (let run = 0; run < runs; run++) times.push(yield* timed(list(scope.scope)))
    const took = median(times.slice(2))
    if (worst === undefined || took > worst.took) worst = { scope, took }
  }
  return worst?.scope
})
