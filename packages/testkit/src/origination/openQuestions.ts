import { type LenderQuotation, type LenderQuoteRequest, LenderUnavailable, runQuote, timestampOf } from "@lastro/domain"
import { Deferred, Effect, Fiber, type Scope } from "effect"
import { type QuotationExample, quotationFor } from "../arbitraries/quotations.ts"
import { type Work } from "../memory/Work.ts"
import { type OriginationWorld } from "./OriginationWorld.ts"

/** A quote that the lender was asked for, by work that waits for the answer. */
export interface OpenQuestion {
  readonly work: Work
  readonly request: LenderQuoteRequest
  readonly answer: Deferred.Deferred<LenderQuotation, LenderUnavailable>
  readonly fiber: Fiber.Fiber<void>
}

/** Questions that are answered when a test says so, in any order. */
export interface OpenQuestions {
  readonly open: () => ReadonlyArray<OpenQuestion>
  /** Begins the work on a quote; answers whether that asked the lender. If not, the work has ended. */
  readonly ask: (work: Work & { readonly _tag: "Quote" }) => Effect.Effect<boolean>
  /** Answers, and waits until the work has ended. */
  readonly answer: (question: OpenQuestion, answer: QuotationExample | "silence") => Effect.Effect<void>
  /** Ends the work without an answer. */
  readonly crash: (question: OpenQuestion) => Effect.Effect<void>
}

/** No question is open; what the world's lender is asked from now on is. */
export const openQuestions = (
  { clock, lender, run }: OriginationWorld
): Effect.Effect<OpenQuestions, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const open = new Set<OpenQuestion>()
    let asked = Deferred.makeUnsafe<Pick<OpenQuestion, "answer" | "request">>()
    yield* lender.answersQuotes((request) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<LenderQuotation, LenderUnavailable>()
        return Effect.andThen(Deferred.succeed(asked, { answer, request }), Deferred.await(answer))
      })
    )
    return {
      open: () => [...open],
      ask: Effect.fnUntraced(function*(work) {
        asked = Deferred.makeUnsafe()
        const fiber = yield* Effect.forkIn(run(Effect.orDie(runQuote(work.quote_id))), scope)
        const ended = Effect.as(Fiber.join(fiber), undefined)
        const question = yield* Effect.raceFirst(Deferred.await(asked), ended)
        if (question !== undefined) open.add({ ...question, work, fiber })
        return question !== undefined
      }),
      answer: Effect.fnUntraced(function*(question, example) {
        open.delete(question)
        const { answer, fiber, request } = question
        yield* example === "silence"
          ? Deferred.fail(answer, new LenderUnavailable({ reason: "ASKED", detail: "silence" }))
          : Deferred.succeed(answer, quotationFor(example, request, timestampOf(clock.get())))
        yield* Fiber.join(fiber)
      }),
      crash: (question) =>
        Effect.suspend(() => {
          open.delete(question)
          return Fiber.interrupt(question.fiber)
        })
    }
  })
