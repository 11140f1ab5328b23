import { assert, it } from "@effect/vitest"
import { type ContractSubmission, Lender, type LenderQuoteRequest } from "@lastro/domain"
import { Effect, Fiber, Latch, Layer } from "effect"
import { boundedLender } from "../../src/work/boundedLender.ts"

it.effect("a lender is asked for so many quotes and so many contracts at a time, and for all of them in the end", () =>
  Effect.gen(function*() {
    const release = yield* Latch.make()
    const running = { quotes: 0, contracts: 0 }
    const ended = { quotes: 0, contracts: 0 }
    const counted = (what: "quotes" | "contracts") =>
      Effect.gen(function*() {
        running[what]++
        yield* release.await
        running[what]--
        ended[what]++
        return yield* Effect.die("answered")
      })
    const lender = Layer.succeed(Lender, {
      quote: () => counted("quotes"),
      submit: () => counted("contracts"),
      resubmit: () => counted("contracts"),
      contract: () => Effect.die("not asked")
    })
    const asking = Effect.gen(function*() {
      const { quote, submit } = yield* Lender
      const calls = Array.from(
        { length: 5 },
        () => [Effect.exit(quote({} as LenderQuoteRequest)), Effect.exit(submit({} as ContractSubmission))]
      )
      return yield* Effect.all(calls.flat(), { concurrency: "unbounded", discard: true })
    })
    const all = yield* Effect.forkChild(Effect.provide(asking, Layer.provide(boundedLender(2), lender)))
    for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
    assert.deepStrictEqual(running, { quotes: 2, contracts: 2 })
    yield* release.open
    yield* Fiber.join(all)
    assert.deepStrictEqual(ended, { quotes: 5, contracts: 5 })
  }))
