import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import { type JobProgress } from "../../src/jobs/Job.ts"
import { continueTrace, currentTraceparent } from "../../src/jobs/jobTrace.ts"
import { type QuoteId } from "../../src/values/ids.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

const spansOf = (given: string | null, attempt: JobProgress["attempt"]) =>
  Effect.suspend(() => {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const job = { kind: "quote", id: "5f0c3f6e-6a3a-4b1e-9c57-0d6f3b2a1c4d" as QuoteId } as const
    const run = Effect.withSpan(Effect.void, "work")
    return Effect.as(
      Effect.withTracer(continueTrace({ job, progress: { attempt, pauses: 0 }, traceparent: given }, run), tracer),
      spans
    )
  })

describe("the trace of a job", () => {
  it.effect("stores the current span, and nothing without one or with ids of another format", () =>
    Effect.gen(function*() {
      assert.isNull(yield* currentTraceparent)
      const within = (span: Tracer.ExternalSpan) => Effect.withParentSpan(currentTraceparent, span)
      const spanId = "b7ad6b7169203331"
      assert.strictEqual(yield* within(Tracer.externalSpan({ traceId, spanId, sampled: true })), traceparent)
      assert.strictEqual(
        yield* within(Tracer.externalSpan({ traceId, spanId, sampled: false })),
        traceparent.replace(/01$/, "00")
      )
      assert.isNull(yield* within(Tracer.externalSpan({ traceId: "of another system", spanId })))
    }))

  it.effect("continues until the lender has answered; a poll begins a new trace with a link", () =>
    Effect.gen(function*() {
      const [run, work] = yield* spansOf(traceparent, 1)
      assert.deepStrictEqual([run?.name, run?.kind, run?.traceId], ["process quote", "consumer", traceId])
      assert.strictEqual(work?.traceId, traceId)
      assert.strictEqual(Option.getOrUndefined(work?.parent ?? Option.none())?.spanId, run?.spanId)

      const [poll] = yield* spansOf(traceparent, 0)
      assert.notStrictEqual(poll?.traceId, traceId)
      assert.deepStrictEqual(poll?.links.map(({ span }) => [span.traceId, span.sampled]), [[traceId, true]])
    }))

  it.effect("is missing for a job that was started without one, or with an invalid one", () =>
    Effect.gen(function*() {
      for (const given of [null, "", `00-${traceId}-1-01`, `${traceparent}-x`]) {
        assert.deepStrictEqual((yield* spansOf(given, 1)).map(({ name }) => name), ["work"])
      }
    }))
})
