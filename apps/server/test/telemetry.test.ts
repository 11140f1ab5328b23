import { assert, describe, it } from "@effect/vitest"
import { LogCauses } from "@lastro/adapters-http"
import { codePoint } from "@lastro/testkit/arbitraries"
import { Cause, Effect, Exit, Logger, Option, Tracer } from "effect"
import fc from "fast-check"
import { stripVTControlCharacters } from "node:util"
import { jsonLine, layerLogs, prettyLine } from "../src/layers/logs.ts"
import { redactTracer } from "../src/layers/telemetry.ts"

/** Returns the lines that an effect logs. */
const linesOf = <A, E>(
  effect: Effect.Effect<A, E>,
  format: Logger.Logger<unknown, string> = jsonLine
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.map(format, (line) => {
      lines.push(line)
    })
    return Effect.as(Effect.provide(Effect.exit(effect), Logger.layer([logger])), lines)
  })

class Refused extends Error {
  override readonly name = "Refused"
  readonly code = "E_SECRET"
}

const failure = new Refused("52998224725 is somebody's", { cause: new TypeError("52998224725 again") })

describe("a JSON log line", () => {
  it.effect("T33 is one line of JSON without control characters, for arbitrary messages and annotations", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), async (message, value) => {
          const [line = ""] = await Effect.runPromise(
            linesOf(Effect.annotateLogs(Effect.logInfo(message), { value }))
          )
          assert.notMatch(line, /[\p{Cc}\u2028\u2029]/u)
          const read = JSON.parse(line) as { readonly message: string; readonly value: string }
          assert.deepStrictEqual([read.message, read.value], [message, value])
        }),
        { numRuns: 300 }
      )
    ))

  it.effect("T33 holds the class and code of an error, never its message", () =>
    Effect.gen(function*() {
      const [inMessage = "", inCause = ""] = yield* linesOf(Effect.gen(function*() {
        yield* Effect.logError("before", failure, { cpf: "52998224725" })
        yield* Effect.logError("before", Cause.die(failure))
      }))
      for (const line of [inMessage, inCause]) {
        assert.notInclude(line, "52998224725")
        assert.include(line, "Refused E_SECRET")
        assert.include(line, "TypeError")
      }
    }))

  it.effect("holds the trace id", () =>
    Effect.gen(function*() {
      const span = Tracer.externalSpan({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" })
      const [line = ""] = yield* linesOf(Effect.withParentSpan(Effect.logInfo("traced"), span))
      assert.include(line, "\"trace_id\":\"0af7651916cd43dd8448eb211c80319c\"")
    }))
})

describe("a pretty log line", () => {
  it.effect("holds message, stack and causes of a defect, which a JSON line does not", () =>
    Effect.gen(function*() {
      const logged = Effect.annotateLogs(Effect.logError("request failed", Cause.die(failure)), { request_id: "r-1" })
      const [pretty = ""] = yield* linesOf(logged, prettyLine)
      const text = stripVTControlCharacters(pretty)
      assert.match(text, /^\d\d:\d\d:\d\d\.\d{3} ERROR request failed request_id=r-1\n/)
      assert.include(text, failure.message)
      assert.include(text, "52998224725 again")
      assert.match(text, /^ +at .*telemetry\.test\.ts/m)
      const [json = ""] = yield* linesOf(logged)
      assert.notInclude(json, "52998224725")
    }))

  it.effect("includes the cause of a failed request only in the pretty format", () =>
    Effect.gen(function*() {
      const logsCauses = (format: "pretty" | "json") =>
        Effect.provide(Effect.map(LogCauses, (value) => value), layerLogs(format), { local: true })
      assert.deepStrictEqual([yield* logsCauses("pretty"), yield* logsCauses("json")], [true, false])
    }))
})

describe("a span", () => {
  it.effect("T33 holds the class and code of a failure, never its message", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const tracer = redactTracer(Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      }))
      yield* Effect.exit(Effect.fail(failure).pipe(Effect.withSpan("fails"), Effect.withTracer(tracer)))
      yield* Effect.void.pipe(Effect.withSpan("succeeds"), Effect.withTracer(tracer))
      const exits = spans.map(({ status }) => status._tag === "Ended" ? status.exit : Exit.void)
      const shown = exits.map((exit) => Option.getOrUndefined(Exit.findErrorOption(exit)))
      assert.match(String(shown[0]), /^Refused E_SECRET: TypeError$/)
      assert.isTrue(exits[1] !== undefined && Exit.isSuccess(exits[1]))
    }))
})
