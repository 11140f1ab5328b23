import { type OpenDocument } from "@lastro/adapters-http"
import { WorkRunner } from "@lastro/adapters-sql"
import { Effect } from "effect"
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
