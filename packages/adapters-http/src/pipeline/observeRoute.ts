import { type Context, Effect, Metric, Option } from "effect"
import { HttpTraceContext } from "effect/http"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange } from "./Exchange.ts"

const requests = Metric.counter("http_server_requests_total", {
  description: "HTTP requests by route, method and status",
  incremental: true
})

const durations = Metric.histogram("http_server_request_duration_seconds", {
  description: "Duration of HTTP requests in seconds",
  boundaries: Metric.boundariesFromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])
})

/**
 * Methods that have their own time series. All other methods share one series, because clients can send arbitrary methods.
 */
const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])

/** Converts to milliseconds with two decimals. */
const toMilliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 10_000n) / 100

/** The metrics of one route, method and status. */
interface Series {
  readonly count: Metric.Metric<number, unknown>
  readonly time: Metric.Metric<number, unknown>
}

/** Returns the time series of a route by method and status. Each series is created at its first use. */
const seriesOf = (route: string) => {
  const seriesByName = new Map<string, Series>()
  return (method: string, status: number): Series => {
    const name = `${method} ${status}`
    const known = seriesByName.get(name)
    if (known !== undefined) return known
    const attributes = { route, method, status: String(status) }
    const series = {
      count: Metric.withAttributes(requests, attributes),
      time: Metric.withAttributes(durations, attributes)
    }
    seriesByName.set(name, series)
    return series
  }
}

/**
 * Records a span, metrics and one log line for each request of a route. The span continues the caller's trace (W3C Trace Context).
 * Only the route is recorded, never the URL: paths hold ids and queries hold personal data.
 */
export const observeRoute = (route: string) => {
  const series = seriesOf(route)
  return <R>({ request }: Exchange, serve: Effect.Effect<Encoded, never, R>): Effect.Effect<Encoded, never, R> => {
    const method = knownMethods.has(request.method) ? request.method : "_OTHER"
    return Effect.useSpan(`${method} ${route}`, {
      kind: "server",
      parent: Option.getOrUndefined(HttpTraceContext.w3c(request.headers)),
      attributes: { "http.request.method": method, "http.route": route }
    }, (span) =>
      Effect.clockWith((clock) => {
        const started = clock.currentTimeNanosUnsafe()
        const recorded = Effect.tap(serve, ({ status }) =>
          Effect.contextWith((context: Context.Context<never>) => {
            const duration_ms = toMilliseconds(clock.currentTimeNanosUnsafe() - started)
            const { count, time } = series(method, status)
            count.updateUnsafe(1, context)
            time.updateUnsafe(duration_ms / 1000, context)
            span.attribute("http.response.status_code", status)
            return Effect.annotateLogs(Effect.logInfo("request"), { method, route, status, duration_ms })
          }))
        return Effect.withParentSpan(recorded, span, { captureStackTrace: false })
      }))
  }
}
