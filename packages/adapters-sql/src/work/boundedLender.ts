import { Lender } from "@lastro/domain"
import { Effect, Layer, Semaphore } from "effect"

/**
 * The lender of the surroundings, asked for only so many quotes and so many contracts at a time: a thousand quotes wished for at
 * once become work at once. What waits between two attempts takes no place.
 */
export const boundedLender = (calls: number): Layer.Layer<Lender, never, Lender> =>
  Layer.effect(
    Lender,
    Effect.gen(function*() {
      const lender = yield* Lender
      const quotes = yield* Semaphore.make(calls)
      const contracts = yield* Semaphore.make(calls)
      return Lender.of({
        ...lender,
        quote: (request) => quotes.withPermit(lender.quote(request)),
        submit: (submission) => contracts.withPermit(lender.submit(submission)),
        resubmit: (resubmission) => contracts.withPermit(lender.resubmit(resubmission))
      })
    })
  )
