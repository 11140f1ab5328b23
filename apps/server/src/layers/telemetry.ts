import { defectOf, describeDefect } from "@lastro/adapters-http"
import { Cause, Effect, Exit, Layer, References, Tracer } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { type Settings } from "../settings/Settings.ts"
import { layerLogs } from "./logs.ts"

const resource = { serviceName: "lastro" }

/** Replaces a failure with the names of its errors. */
const redactExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const [name = "unknown", ...causes] = describeDefect(defectOf(exit.cause)).defect
  const failure = new Error(causes.join(", "))
  failure.name = name
  return Exit.fail(failure)
}

/** Removes error messages from the spans of a tracer, because they may hold personal data. */
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

const otlp = (endpoint: string) =>
  Layer.merge(
    OtlpMetrics.layer({ url: `${endpoint}/v1/metrics`, resource }),
    Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make({ url: `${endpoint}/v1/traces`, resource }), redactTracer))
  ).pipe(Layer.provide([OtlpExporter.layerFlusher, FetchHttpClient.layer, OtlpSerialization.layerProtobuf]))

/** Logs to standard output. Exports traces and metrics by OTLP if an endpoint is set. */
export const telemetry = (
  { log_format, log_level, otlp_endpoint }: Pick<Settings, "log_format" | "log_level" | "otlp_endpoint">
) =>
  Layer.mergeAll(
    layerLogs(log_format),
    Layer.succeed(References.MinimumLogLevel, log_level),
    // The spans of the HTTP server hold whole URLs and client addresses. The API makes its own spans, which hold neither.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
    otlp_endpoint === undefined ? Layer.empty : otlp(otlp_endpoint)
  )
