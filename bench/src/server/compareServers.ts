import { Effect } from "effect"
import { type Ask } from "./Ask.ts"
import { oddTokens } from "./oddCallers.ts"
import { type Operation } from "./operations.ts"
import { compareAnswers } from "./sameAnswers.ts"
import { samePatches } from "./samePatches.ts"
import { type Bench } from "./setUp.ts"

/** Returns copies of a request without a valid token: the token is missing, malformed or has a wrong signature. */
const unauthenticated = (ask: Ask): ReadonlyArray<Ask> => [
  { ...ask, token: undefined },
  { ...ask, token: "nobody" },
  { ...ask, token: `${ask.token?.slice(0, -4)}AAAA` }
]

/**
 * Compares the responses of both servers to reads and to rejected changes. Then compares the effects of changes.
 * Returns the number of compared responses.
 */
export const compareServers = Effect.fn("compareServers")(function*(
  bench: Bench,
  operations: ReadonlyArray<Operation>
) {
  const { callers, lastro, peer } = bench
  const same = (ask: Ask) => compareAnswers(lastro, peer, ask)
  const odd = yield* oddTokens(bench)
  let count = 0
  for (const { compared, kind } of operations) {
    for (const ask of callers.flatMap(compared)) count += yield* same(ask)
    const [one] = callers.slice(0, 1).flatMap(compared)
    if (one === undefined || kind === "health") continue
    for (const ask of unauthenticated(one)) count += yield* same(ask)
    for (const token of odd) count += yield* same({ ...one, token })
  }
  return operations.some(({ kind }) => kind === "write") ? count + (yield* samePatches(bench)) : count
})
