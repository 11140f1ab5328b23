import { type OpenDocument } from "@lastro/adapters-http"
import { WorkRunner } from "@lastro/adapters-sql"
import { Effect, Layer, Schedule } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** The metrics in the text format of Prometheus. */
export const metricsDocument: Effect.Effect<OpenDocument, never, WorkRunner> = Effect.map(
  WorkRunner,
  ({ refreshMetrics }) => ({
    path: "/metrics",
    type: "text/plain; version=0.0.4; charset=utf-8",
    text: Effect.andThen(refreshMetrics, PrometheusMetrics.format())
  })
)

/**
 * Refreshes the metrics of the job table every 10 seconds, because the OTLP exporter sends the current values without a
 * refresh. `/metrics` refreshes them at each request.
 */
export const layerFreshMetrics: Layer.Layer<never, never, WorkRunner> = Layer.effectDiscard(
  Effect.flatMap(
    WorkRunner,
    ({ refreshMetrics }) => Effect.forkScoped(Effect.repeat(refreshMetrics, Schedule.spaced("10 seconds")))
  )
)
