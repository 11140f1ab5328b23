import { defectOf, describeDefect, version } from "@lastro/adapters-http"
import { Cause, ConfigProvider, Effect, Exit, Layer, Option, Redacted, References, Tracer } from "effect"
import { HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { type Settings } from "../settings/Settings.ts"
import { type Sampler, type SignalSetting, type TelemetrySetting } from "../settings/telemetry.ts"
import { layerLogs } from "./logs.ts"
import { layerWatchedClient } from "./watchExports.ts"

/** Replaces a failure with the names of its errors, because their messages may contain personal data. */
const redactExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const [name = "unknown", ...causes] = describeDefect(defectOf(exit.cause)).defect
  const failure = new Error(causes.join(", "))
  failure.name = name
  return Exit.fail(failure)
}

/** Returns a tracer that removes error messages from its spans, because they may contain personal data. */
export const redactTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => end(time, redactExit(exit))
      return span
    }
  })

/**
 * Returns the random part of a trace id as a number from 0 to 1. The last 56 bits of a trace id are random (W3C Trace
 * Context Level 2).
 */
const randomPart = (traceId: string): number => Number.parseInt(traceId.slice(-14), 16) / 2 ** 56

type SpanRequest = Parameters<Tracer.Tracer["span"]>[0]

/**
 * Returns whether the sampler selects the trace of a span that started in another process, or in an earlier request.
 */
const isSelected = ({ sampled, traceId }: Tracer.AnySpan, { isParentBased, ratio }: Sampler): boolean =>
  isParentBased ? sampled : 1 - randomPart(traceId) <= ratio && ratio > 0

/**
 * Returns whether a span is exported. A span with a parent in this process follows its parent. For a request, the
 * sampler decides. A run of a job follows the request that started the job. Other background work, such as polling for
 * jobs, is never exported.
 */
const isSampled = (
  { kind, links, parent, sampled }: Pick<SpanRequest, "kind" | "links" | "parent" | "sampled">,
  sampler: Sampler
): boolean => {
  if (Option.isSome(parent)) return parent.value._tag === "Span" ? sampled : isSelected(parent.value, sampler)
  const [origin] = links
  return kind === "consumer" && origin !== undefined
    ? isSelected(origin.span, sampler)
    : kind === "server" && Math.random() < sampler.ratio
}

/** Returns a tracer that exports only the spans that a sampler selects. */
export const sampleTracer = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => tracer.span({ ...options, sampled: isSampled(options, sampler) })
  })

const serialization = {
  "http/protobuf": OtlpSerialization.layerProtobuf,
  "http/json": OtlpSerialization.layerJson
}

/**
 * Maximum time of an exporter to send its last data. The stop of the server waits for it, even if the collector does
 * not respond.
 */
const shutdownTimeout = "1 second" as const

/** The exporters must not read environment variables: they get the operator's settings as options. */
const noEnvironment = ConfigProvider.layer(ConfigProvider.fromUnknown({}))

const exporterOptions = (
  { compression, headers, url }: SignalSetting,
  attributes: Readonly<Record<string, string>>
) => ({
  url,
  compression,
  headers: Redacted.value(headers),
  shutdownTimeout,
  resource: { attributes }
})

const withProtocol = <A, E, R>(
  layer: Layer.Layer<A, E, R | OtlpSerialization.OtlpSerialization>,
  signal: "traces" | "metrics",
  { protocol, url }: SignalSetting
) =>
  Layer.provide(layer, [
    serialization[protocol],
    OtlpExporter.layerFlusher,
    layerWatchedClient({ signal, url }),
    noEnvironment
  ])

const exportTraces = (setting: SignalSetting, attributes: Readonly<Record<string, string>>, sampler: Sampler) =>
  withProtocol(
    Layer.effect(
      Tracer.Tracer,
      Effect.map(
        OtlpTracer.make(exporterOptions(setting, attributes)),
        (tracer) => sampleTracer(redactTracer(tracer), sampler)
      )
    ),
    "traces",
    setting
  )

const exportMetrics = (
  setting: NonNullable<TelemetrySetting["metrics"]>,
  attributes: Readonly<Record<string, string>>
) =>
  withProtocol(
    OtlpMetrics.layer({
      ...exporterOptions(setting, attributes),
      exportInterval: setting.interval_ms,
      temporality: setting.temporality
    }),
    "metrics",
    setting
  )

const warnOfUnsupported = ({ unsupported }: TelemetrySetting) =>
  unsupported.length === 0
    ? Layer.empty
    : Layer.effectDiscard(Effect.annotateLogs(
      Effect.logWarning("variables of OpenTelemetry that Lastro does not support are set; they have no effect"),
      { variables: unsupported }
    ))

const otlp = (setting: TelemetrySetting, node: string) => {
  const attributes = {
    "service.name": "lastro",
    "service.version": version,
    "service.instance.id": node,
    ...setting.attributes
  }
  return Layer.mergeAll(
    warnOfUnsupported(setting),
    setting.metrics === undefined ? Layer.empty : exportMetrics(setting.metrics, attributes),
    setting.traces === undefined ? Layer.empty : exportTraces(setting.traces, attributes, setting.sampler)
  )
}

export const processLogs = ({ log_format, log_level }: Pick<Settings, "log_format" | "log_level">) =>
  Layer.merge(layerLogs(log_format), Layer.succeed(References.MinimumLogLevel, log_level))

/** Logs to standard output. Exports traces and metrics by OTLP if an endpoint is set. */
export const telemetry = (
  read: Pick<Settings, "log_format" | "log_level" | "node" | "telemetry">
) => {
  const { node, telemetry: setting } = read
  return Layer.mergeAll(
    // The spans of the HTTP server contain whole URLs and client addresses. The API's own spans contain neither.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
    Layer.provideMerge(otlp(setting, node), processLogs(read))
  )
}
