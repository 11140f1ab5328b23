import { type Context, Effect, Metric, Option } from "effect"
import { HttpTraceContext } from "effect/http"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange } from "./Exchange.ts"

const requests = Metric.counter("http_server_requests_total", {
  description: "Requests that were answered, by route, method and status",
  incremental: true
})

const durations = Metric.histogram("http_server_request_duration_seconds", {
  description: "Seconds from the arrival of a request to its answer",
  boundaries: Metric.boundariesFromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])
})

/** The methods that this API or a browser uses; anybody can make up others, and each would be a series of its own. */
const usual: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])

/** Milliseconds with two decimals. */
const inMilliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 10_000n) / 100

/** What is counted and timed of one kind of answer. */
interface Series {
  readonly count: Metric.Metric<number, unknown>
  readonly time: Metric.Metric<number, unknown>
}

/** The series of a route by method and status, made when they are first needed. */
const seriesOf = (route: string) => {
  const made = new Map<string, Series>()
  return (method: string, status: number): Series => {
    const name = `${method} ${status}`
    const known = made.get(name)
    if (known !== undefined) return known
    const attributes = { route, method, status: String(status) }
    const series = {
      count: Metric.withAttributes(requests, attributes),
      time: Metric.withAttributes(durations, attributes)
    }
    made.set(name, series)
    return series
  }
}

/**
 * Serves the requests of a route, each inside a span that continues the caller's trace (W3C Trace Context), counts and
 * times them, and logs one line each. All of them name the route and never what was asked: paths hold ids, queries
 * personal data.
 */
export const observed = (route: string) => {
  const series = seriesOf(route)
  return <R>({ request }: Exchange, serve: Effect.Effect<Encoded, never, R>): Effect.Effect<Encoded, never, R> => {
    const method = usual.has(request.method) ? request.method : "_OTHER"
    return Effect.useSpan(`${method} ${route}`, {
      kind: "server",
      parent: Option.getOrUndefined(HttpTraceContext.w3c(request.headers)),
      attributes: { "http.request.method": method, "http.route": route }
    }, (span) =>
      Effect.clockWith((clock) => {
        const started = clock.currentTimeNanosUnsafe()
        const told = Effect.tap(serve, ({ status }) =>
          Effect.contextWith((context: Context.Context<never>) => {
            const duration_ms = inMilliseconds(clock.currentTimeNanosUnsafe() - started)
            const { count, time } = series(method, status)
            count.updateUnsafe(1, context)
            time.updateUnsafe(duration_ms / 1000, context)
            span.attribute("http.response.status_code", status)
            return Effect.annotateLogs(Effect.logInfo("request"), { method, route, status, duration_ms })
          }))
        return Effect.withParentSpan(told, span, { captureStackTrace: false })
      }))
  }
}
