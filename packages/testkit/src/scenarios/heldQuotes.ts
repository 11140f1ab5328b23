import { type Job, runQuote } from "@lastro/domain/jobs"
import { type LenderQuoteRequest, LenderUnavailable } from "@lastro/domain/lender"
import { type FinalQuotation } from "@lastro/domain/offer"
import { timestampOf } from "@lastro/domain/values"
import { Deferred, Effect, Fiber, type Scope } from "effect"
import { type QuotationExample, quotationFor } from "../offer/quotationFor.ts"
import { type LoanFixture } from "./LoanFixture.ts"

/** A quote request that the lender has not answered yet, and the job that waits for the answer. */
export interface HeldQuote {
  readonly job: Job
  readonly request: LenderQuoteRequest
  readonly answer: Deferred.Deferred<FinalQuotation, LenderUnavailable>
  readonly fiber: Fiber.Fiber<void>
}

/** Quote requests that wait until a test answers them, in any order. */
export interface HeldQuotes {
  readonly all: () => ReadonlyArray<HeldQuote>
  /** Runs a quote job. Returns true when it has sent a request, and false if it ended without one. */
  readonly request: (job: Job & { readonly kind: "quote" }) => Effect.Effect<boolean>
  /** Answers a held request, and waits until its job has ended. */
  readonly answer: (held: HeldQuote, answer: QuotationExample | "timeout") => Effect.Effect<void>
  /** Interrupts the job of the request, without an answer. */
  readonly crash: (held: HeldQuote) => Effect.Effect<void>
}

/** Makes the lender of a fixture hold all later quote requests until a test answers them. */
export const holdQuotes = ({ clock, lender, run }: LoanFixture): Effect.Effect<HeldQuotes, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const all = new Set<HeldQuote>()
    let requested = Deferred.makeUnsafe<Pick<HeldQuote, "answer" | "request">>()
    yield* lender.setQuoteAnswers((request) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<FinalQuotation, LenderUnavailable>()
        return Effect.andThen(Deferred.succeed(requested, { answer, request }), Deferred.await(answer))
      })
    )
    return {
      all: () => [...all],
      request: Effect.fnUntraced(function*(job) {
        requested = Deferred.makeUnsafe()
        const fiber = yield* Effect.forkIn(run(Effect.asVoid(Effect.orDie(runQuote(job.id)))), scope)
        const ended = Effect.as(Fiber.join(fiber), undefined)
        const held = yield* Effect.raceFirst(Deferred.await(requested), ended)
        if (held !== undefined) all.add({ ...held, job, fiber })
        return held !== undefined
      }),
      answer: Effect.fnUntraced(function*(held, example) {
        all.delete(held)
        const { answer, fiber, request } = held
        yield* example === "timeout"
          ? Deferred.fail(answer, new LenderUnavailable({ reason: "ASKED", detail: "timeout" }))
          : Deferred.succeed(answer, quotationFor(example, request, timestampOf(clock.get())))
        yield* Fiber.join(fiber)
      }),
      crash: (held) =>
        Effect.suspend(() => {
          all.delete(held)
          return Fiber.interrupt(held.fiber)
        })
    }
  })
