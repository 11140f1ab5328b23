import { assert, it } from "@effect/vitest"
import { type ContractSubmission, Lender, type LenderQuoteRequest } from "@lastro/domain/lender"
import { Effect, Fiber, Latch, Layer } from "effect"
import { limitLenderCalls } from "../../src/work/WorkRunner.ts"

it.effect("limits concurrent quotes and contracts separately and eventually sends every request", () =>
  Effect.gen(function*() {
    const release = yield* Latch.make()
    const running = { quotes: 0, contracts: 0 }
    const ended = { quotes: 0, contracts: 0 }
    const countCall = (kind: "quotes" | "contracts") =>
      Effect.gen(function*() {
        running[kind]++
        yield* release.await
        running[kind]--
        ended[kind]++
        return yield* Effect.die("answered")
      })
    const lender = Layer.succeed(Lender, {
      quote: () => countCall("quotes"),
      submit: () => countCall("contracts"),
      resubmit: () => countCall("contracts"),
      contract: () => Effect.die("unexpected request")
    })
    const sendRequests = Effect.gen(function*() {
      const { quote, submit } = yield* Lender
      const calls = Array.from(
        { length: 5 },
        () => [Effect.exit(quote({} as LenderQuoteRequest)), Effect.exit(submit({} as ContractSubmission))]
      )
      return yield* Effect.all(calls.flat(), { concurrency: "unbounded", discard: true })
    })
    const all = yield* Effect.forkChild(Effect.provide(sendRequests, Layer.provide(limitLenderCalls(2), lender)))
    for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
    assert.deepStrictEqual(running, { quotes: 2, contracts: 2 })
    yield* release.open
    yield* Fiber.join(all)
    assert.deepStrictEqual(ended, { quotes: 5, contracts: 5 })
  }))
