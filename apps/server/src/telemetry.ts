import { Effect, Layer, Logger, References, Tracer } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { type Settings } from "./settings/Settings.ts"
import { discreet } from "./telemetry/discreet.ts"
import { jsonLine } from "./telemetry/jsonLine.ts"

const resource = { serviceName: "lastro" }

const otlp = (endpoint: string) =>
  Layer.merge(
    OtlpMetrics.layer({ url: `${endpoint}/v1/metrics`, resource }),
    Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make({ url: `${endpoint}/v1/traces`, resource }), discreet))
  ).pipe(Layer.provide([OtlpExporter.layerFlusher, FetchHttpClient.layer, OtlpSerialization.layerProtobuf]))

/** Logs as one JSON object a line on standard output; traces and metrics by OTLP where an endpoint is set. */
export const telemetry = ({ log_level, otlp_endpoint }: Pick<Settings, "log_level" | "otlp_endpoint">) =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleLog(jsonLine)]),
    Layer.succeed(References.MinimumLogLevel, log_level),
    // The HTTP server's own spans hold whole URLs and addresses; the API makes spans that do not.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
    otlp_endpoint === undefined ? Layer.empty : otlp(otlp_endpoint)
  )
