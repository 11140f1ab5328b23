import { lookAtContract } from "@lastro/domain"
import { Effect } from "effect"
import { MemoryDatabase } from "../memory/MemoryDatabase.ts"
import { PendingWork } from "../memory/PendingWork.ts"
import { WorldClock } from "./WorldClock.ts"

/** Does everything that happens by itself elsewhere: what was promised, and a look at every contract that is with the lender. */
export const finishWork = Effect.gen(function*() {
  const { passing } = yield* WorldClock
  const work = Effect.gen(function*() {
    yield* (yield* PendingWork).finish
    const { looks } = yield* (yield* MemoryDatabase).state
    yield* Effect.forEach(looks.keys(), lookAtContract, { discard: true })
  })
  yield* passing(work)
})
