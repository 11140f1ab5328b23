import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result, Tracer } from "effect"
import { sampleTracer } from "../src/layers/telemetry.ts"
import { readTelemetry, type Sampler } from "../src/settings/telemetry.ts"

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }

const read = (environment: Record<string, string>) => Result.getOrThrow(readTelemetry(environment))

const refusal = (environment: Record<string, string>): string => {
  const result = readTelemetry(environment)
  assert(Result.isFailure(result))
  return result.failure.message
}

describe("the settings of OpenTelemetry", () => {
  it("export nothing without an endpoint, or if they are disabled", () => {
    assert.deepInclude(read({}), { traces: undefined, metrics: undefined })
    const disabled = read({ ...collector, OTEL_SDK_DISABLED: "TRUE", OTEL_TRACES_SAMPLER: "unknown", OTEL_X: "1" })
    assert.deepInclude(disabled, { traces: undefined, metrics: undefined, unsupported: [] })
    assert.deepInclude(read({ ...collector, OTEL_METRICS_EXPORTER: "none" }), { metrics: undefined })
  })

  it("add the path of the signal to the URL of all signals, and use the URL of one signal as it is", () => {
    const urls = (environment: Record<string, string>) => {
      const { metrics, traces } = read(environment)
      return [traces?.url, metrics?.url]
    }
    assert.deepStrictEqual(urls(collector), ["http://collector:4318/v1/traces", "http://collector:4318/v1/metrics"])
    assert.deepStrictEqual(
      urls({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c/base/", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/in" }),
      ["https://t/in", "https://c/base/v1/metrics"]
    )
    assert.deepStrictEqual(urls({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/in" }), ["https://t/in", undefined])
  })

  it("read headers, attributes and the name of the service, percent-decoded", () => {
    const { attributes, metrics, traces } = read({
      ...collector,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi, x = y ",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "k=v=w",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=a,deployment.environment=pro%2Cd",
      OTEL_SERVICE_NAME: "loans"
    })
    assert.deepStrictEqual(traces && Redacted.value(traces.headers), { authorization: "Basic YTpi", x: "y" })
    assert.deepStrictEqual(metrics && Redacted.value(metrics.headers), { k: "v=w" })
    assert.deepStrictEqual(attributes, { "service.name": "loans", "deployment.environment": "pro,d" })
  })

  it("name the variables that are set and have no effect", () => {
    const { unsupported } = read({
      ...collector,
      OTEL_PROPAGATORS: "tracecontext,baggage",
      OTEL_LOGS_EXPORTER: "otlp",
      OTEL_BSP_SCHEDULE_DELAY: "100",
      OTEL_EXPORTER_OTLP_TIMEOUT: ""
    })
    assert.deepStrictEqual(unsupported, ["OTEL_BSP_SCHEDULE_DELAY", "OTEL_LOGS_EXPORTER"])
  })

  it.each([
    ["OTEL_SDK_DISABLED", "yes"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:hunter2@collector"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "zstd"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%hunter2"],
    ["OTEL_RESOURCE_ATTRIBUTES", "=hunter2"],
    ["OTEL_TRACES_EXPORTER", "jaeger"],
    ["OTEL_METRICS_EXPORTER", "prometheus"],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_TRACES_SAMPLER_ARG", "0.5"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "10s"],
    ["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "lowmemory"]
  ])("refuse an invalid %s with one line that names it", (name, value) => {
    const message = refusal({ ...collector, [name]: value })
    assert.match(message, new RegExp(`^${name} (?:must|requires) `))
    assert.notMatch(message, /\n|hunter2/)
  })

  it("read the samplers", () => {
    const sampler = (name: string, arg = "") =>
      read({ ...collector, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg }).sampler
    assert.deepStrictEqual(sampler(""), { isParentBased: true, ratio: 1 })
    assert.deepStrictEqual(sampler("always_off"), { isParentBased: false, ratio: 0 })
    assert.deepStrictEqual(sampler("traceidratio", ".25"), { isParentBased: false, ratio: 0.25 })
    assert.deepStrictEqual(sampler("parentbased_traceidratio"), { isParentBased: true, ratio: 1 })
    for (const arg of ["1.1", "-0.1", "x", "1e-3"]) {
      const environment = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: arg }
      assert.match(refusal(environment), /^OTEL_TRACES_SAMPLER_ARG must be the part of the traces/)
    }
  })
})

/** Returns whether a sampler exports the span of a request and that of a statement within it. */
const sampledBy = (
  sampler: Sampler,
  parent?: Tracer.AnySpan,
  kind: Tracer.SpanKind = "server",
  links: ReadonlyArray<Tracer.SpanLink> = []
) => {
  const sampled: Array<boolean> = []
  const tracer = sampleTracer(
    Tracer.make({
      span: (options) => {
        sampled.push(options.sampled)
        return new Tracer.NativeSpan(options)
      }
    }),
    sampler
  )
  return Effect.as(
    Effect.void.pipe(
      Effect.withSpan("statement"),
      Effect.withSpan("request", { kind, links, ...(parent === undefined ? {} : { parent }) }),
      Effect.withTracer(tracer)
    ),
    sampled
  )
}

describe("a sampler", () => {
  const always = { isParentBased: true, ratio: 1 }
  const never = { isParentBased: true, ratio: 0 }
  const caller = (sampled: boolean, end = "8") =>
    Tracer.externalSpan({ traceId: `4bf92f3577b34da6a3${end}e929d0e0e4736`, spanId: "00f067aa0ba902b7", sampled })

  it.effect("exports requests, and no background work without a caller", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* sampledBy(always), [true, true])
      assert.deepStrictEqual(yield* sampledBy(always, undefined, "internal"), [false, false])
      assert.deepStrictEqual(yield* sampledBy(never), [false, false])
    }))

  it.effect("exports a run that is linked to a request as the request itself", () =>
    Effect.gen(function*() {
      const ofRun = (sampler: Sampler, span: Tracer.AnySpan) =>
        sampledBy(sampler, undefined, "consumer", [{ span, attributes: {} }])
      assert.deepStrictEqual(yield* ofRun(always, caller(true)), [true, true])
      assert.deepStrictEqual(yield* ofRun(always, caller(false)), [false, false])
      assert.deepStrictEqual(yield* ofRun({ ...always, isParentBased: false }, caller(false)), [true, true])
      assert.deepStrictEqual(yield* sampledBy(always, undefined, "consumer"), [false, false])
    }))

  it.effect("follows the decision of the caller only if it is based on the parent", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* sampledBy(always, caller(false)), [false, false])
      assert.deepStrictEqual(yield* sampledBy(never, caller(true)), [true, true])
      assert.deepStrictEqual(yield* sampledBy({ ...always, isParentBased: false }, caller(false)), [true, true])
      assert.deepStrictEqual(yield* sampledBy({ ...never, isParentBased: false }, caller(true)), [false, false])
    }))

  it.effect("decides by the random part of the trace id, so that all services decide alike", () =>
    Effect.gen(function*() {
      const half = { isParentBased: false, ratio: 0.5 }
      assert.deepStrictEqual(yield* sampledBy(half, caller(true, "0")), [false, false])
      assert.deepStrictEqual(yield* sampledBy(half, caller(false, "f")), [true, true])
    }))
})
