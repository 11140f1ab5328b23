import { Clock, Effect, Metric, Option } from "effect"
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

const measure = (attributes: Readonly<Record<string, string>>, duration_ms: number): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(requests, attributes), 1),
    Metric.update(Metric.withAttributes(durations, attributes), duration_ms / 1000)
  )

/**
 * Serves a request inside a span that continues the caller's trace (W3C Trace Context), counts and times it, and logs one
 * line. All of them name the route and never what was asked: paths hold ids, queries personal data.
 */
export const observed = <R>(
  route: string,
  { request }: Exchange,
  serve: Effect.Effect<Encoded, never, R>
): Effect.Effect<Encoded, never, R> => {
  const method = usual.has(request.method) ? request.method : "_OTHER"
  return Effect.gen(function*() {
    const clock = yield* Clock.Clock
    const started = clock.currentTimeNanosUnsafe()
    const encoded = yield* serve
    const { status } = encoded
    const duration_ms = inMilliseconds(clock.currentTimeNanosUnsafe() - started)
    yield* measure({ route, method, status: String(status) }, duration_ms)
    yield* Effect.annotateCurrentSpan("http.response.status_code", status)
    yield* Effect.annotateLogs(Effect.logInfo("request"), { method, route, status, duration_ms })
    return encoded
  }).pipe(Effect.withSpan(`${method} ${route}`, {
    kind: "server",
    parent: Option.getOrUndefined(HttpTraceContext.w3c(request.headers)),
    attributes: { "http.request.method": method, "http.route": route }
  }, { captureStackTrace: false }))
}
