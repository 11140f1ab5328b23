import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderThrottle } from "../../src/lender/LenderThrottle.ts"
import { type LenderExits } from "../../src/loan/LenderContract.ts"
import { exitsOfLender } from "../../src/origination/exitsOfLender.ts"
import { UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { allExits } from "../loan/examples.ts"
import { opened, success } from "./opened.ts"

/** Reads the exits of a lender that does not know them at first. Counts the calls and the requests to the throttle. */
const countedExits = () => {
  const counted = { calls: 0, entries: 0 }
  let known: LenderExits | null = null
  const exits = Effect.gen(function*() {
    const [lender, throttle] = [yield* Lender, yield* LenderThrottle]
    const unknowing = Lender.of({
      ...lender,
      requirements: { ...lender.requirements, throttle: { requests_per_second: null, max_in_flight: 1 } },
      knownExits: Effect.sync(() => known),
      exits: Effect.sync(() => {
        counted.calls++
        return known = allExits
      })
    })
    const counting = LenderThrottle.of({
      ...throttle,
      enter: (request, limits) =>
        Effect.suspend(() => {
          counted.entries++
          return throttle.enter(request, limits)
        })
    })
    return yield* exitsOfLender.pipe(
      Effect.provideService(Lender, unknowing),
      Effect.provideService(LenderThrottle, counting)
    )
  })
  return { counted, exits }
}

describe("the exits of a lender in a transaction of the host", () => {
  it("LENDER-20 are read without a call and without the throttle", async () => {
    const { lastro } = await opened()
    await using _ = lastro
    const { counted, exits } = countedExits()
    assert.isNull(await lastro.atomically((tx) => success(tx.run(exits))))
    assert.isNull(await lastro.atomically((tx) => tx.atomically((inner) => success(inner.run(exits)))))
    const inUnit = lastro.run(Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(exits)))
    assert.isNull(await success(inUnit))
    assert.deepStrictEqual(counted, { calls: 0, entries: 0 })

    assert.deepStrictEqual(await success(lastro.run(exits)), allExits)
    assert.deepStrictEqual(counted, { calls: 1, entries: 1 })
    assert.deepStrictEqual(await lastro.atomically((tx) => success(tx.run(exits))), allExits)
    assert.deepStrictEqual(counted, { calls: 1, entries: 1 })
  })
})
