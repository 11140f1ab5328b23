import { Effect } from "effect"
import { type Ask } from "./Ask.ts"
import { type Operation } from "./operations.ts"
import { compareAnswers } from "./sameAnswers.ts"
import { type Bench } from "./setUp.ts"

/** Requests without a valid token. */
const unauthenticated = (ask: Ask): ReadonlyArray<Ask> => [
  { ...ask, token: undefined },
  { ...ask, token: "nobody" },
  { ...ask, token: `${ask.token?.slice(0, -4)}AAAA` }
]

/** Compares the answers of both servers. Returns their number. */
export const compareServers = Effect.fn("compareServers")(function*(
  { callers, lastro, peer }: Bench,
  operations: ReadonlyArray<Operation>
) {
  let count = 0
  for (const { compared } of operations) {
    for (const caller of callers) {
      for (const ask of compared(caller)) count += yield* compareAnswers(lastro, peer, ask)
    }
    for (const ask of callers.slice(0, 1).flatMap(compared).slice(0, 1).filter(({ token }) => token !== undefined)) {
      for (const refused of unauthenticated(ask)) count += yield* compareAnswers(lastro, peer, refused)
    }
  }
  return count
})
