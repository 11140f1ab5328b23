import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import { continueTrace, currentTraceparent } from "../../src/values/traceparent.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

const spansOf = (given: string | null, isLate = false) =>
  Effect.suspend(() => {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const work = { kind: "quote", id: "5f0c3f6e-6a3a-4b1e-9c57-0d6f3b2a1c4d", traceparent: given, isLate }
    const run = Effect.withSpan(Effect.void, "work")
    return Effect.as(
      Effect.withTracer(continueTrace(work, run), tracer),
      spans
    )
  })

describe("the trace of background work", () => {
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

  it.effect("continues that of its cause; a late run begins a new trace with a link", () =>
    Effect.gen(function*() {
      const [run, work] = yield* spansOf(traceparent)
      assert.deepStrictEqual([run?.name, run?.kind, run?.traceId], ["process quote", "consumer", traceId])
      assert.strictEqual(work?.traceId, traceId)
      assert.strictEqual(Option.getOrUndefined(work?.parent ?? Option.none())?.spanId, run?.spanId)

      const [late] = yield* spansOf(traceparent, true)
      assert.notStrictEqual(late?.traceId, traceId)
      assert.deepStrictEqual(late?.links.map(({ span }) => [span.traceId, span.sampled]), [[traceId, true]])
    }))

  it.effect("is missing for work without one, or with an invalid one", () =>
    Effect.gen(function*() {
      for (const given of [null, "", `00-${traceId}-1-01`, `${traceparent}-x`]) {
        assert.deepStrictEqual((yield* spansOf(given)).map(({ name }) => name), ["work"])
      }
    }))
})
