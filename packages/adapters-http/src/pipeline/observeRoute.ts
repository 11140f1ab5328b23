import { isTechnicalId } from "@lastro/domain/audit"
import { type AccessClaims } from "@lastro/domain/identity"
import { type Clock, Context, Effect, type Exit, LogLevel, Metric, Option, References, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import { lastCallerOf } from "./asCaller.ts"
import { type Incoming } from "./Exchange.ts"

const requests = Metric.counter("http_server_requests_total", {
  description: "HTTP requests by route, method and status",
  incremental: true
})

const durations = Metric.histogram("http_server_request_duration_seconds", {
  description: "Duration of HTTP requests in seconds",
  boundaries: Metric.boundariesFromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])
})

/** Methods with their own time series. All others share one, because clients can send arbitrary methods. */
const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])

/** Converts nanoseconds to milliseconds with two decimals. */
const toMilliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 10_000n) / 100

/** The metrics of one route, method and status. */
interface Series {
  readonly count: Metric.Metric<number, unknown>
  readonly time: Metric.Metric<number, unknown>
}

/**
 * Returns a function that returns the time series for a method and a status. Each series is created at its first use.
 */
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

/** Error statuses that an alert watches. */
const watchedStatuses = [500, 503]

/**
 * Creates the series of each route with the value 0, for its success status and the watched error statuses. So an alert
 * sees the first failure as an increase. Series of other statuses are created when the status first occurs.
 */
export const startRequestMetrics = (
  routes: ReadonlyArray<{ readonly path: string; readonly method: string; readonly status: number }>
): Effect.Effect<void> =>
  Effect.forEach(routes, ({ method, path: route, status }) => {
    const countOf = (statusCode: number) =>
      Metric.value(Metric.withAttributes(requests, { route, method, status: String(statusCode) }))
    return Effect.andThen(
      Effect.forEach([status, ...watchedStatuses], countOf, { discard: true }),
      Metric.value(Metric.withAttributes(durations, { route, method, status: String(status) }))
    )
  }, { discard: true })

/**
 * Returns the span of the caller (W3C Trace Context). Ignores a trace id that could be a padded document number,
 * because logs and jobs store trace ids (AUDIT-04).
 */
const callerSpan = ({ headers: { traceparent } }: Incoming): Tracer.AnySpan | undefined =>
  traceparent === undefined
    ? undefined
    : Option.getOrUndefined(Option.filter(
      HttpTraceContext.w3c(Headers.fromRecordUnsafe({ traceparent })),
      ({ traceId }) => isTechnicalId(traceId)
    ))

/** The data for observing one request. */
export interface Observation {
  readonly span: Tracer.Span
  readonly method: string
  readonly clock: Clock.Clock
  /** The time at which the request started, in monotonic nanoseconds. */
  readonly started: bigint
  /** The annotations of the request's log entries, which are in its context. */
  readonly annotations: Record<string, unknown>
}

/**
 * Returns the caller of a request for logs and spans: its root partner, and the `client_id` of an API client. The id of
 * a user is omitted, because a user is a person.
 */
const namesOf = (claims: AccessClaims | undefined): Readonly<Record<string, string>> => {
  const caller = claims === undefined ? undefined : lastCallerOf(claims)
  if (caller === undefined) return {}
  const { kind, root_id, subject } = caller
  return kind === "client" ? { client_id: subject, root_partner_id: root_id } : { root_partner_id: root_id }
}

const logRequest = Effect.logInfo("request")

const noStack = () => undefined

/** Adds the span of a request to its context, as the parent of further spans. */
export const addSpan = <R>(context: Context.Context<R>, span: Tracer.Span): Context.Context<R> => {
  const parent = Context.get(context, References.CurrentStackFrame)
  return Context.add(
    Context.add(context, References.CurrentStackFrame, { name: span.name, stack: noStack, parent }),
    Tracer.ParentSpan,
    span
  )
}

/** Ends the span of a request. The work of the request may still be running. */
export const endSpan = ({ clock, span }: Observation, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.map(References.TracerTimingEnabled, (isTimed) => {
    if (span.status._tag !== "Ended") span.end(isTimed ? clock.currentTimeNanosUnsafe() : 0n, exit)
  })

/**
 * Returns the functions that observe the requests of a route. `inSpan` runs the work in a span that continues the
 * caller's trace. `record` writes the metrics and one log line, with the caller of the verified token. Only the route
 * is recorded, not the URL, because paths contain ids and queries contain personal data.
 */
export const observeRoute = (route: string) => {
  const series = seriesOf(route)
  return {
    inSpan: <A, R>(
      request: Incoming,
      clock: Clock.Clock,
      work: (observation: Observation) => Effect.Effect<A, never, R>
    ): Effect.Effect<A, never, R> => {
      const method = knownMethods.has(request.method) ? request.method : "_OTHER"
      return Effect.useSpan(`${method} ${route}`, {
        kind: "server",
        parent: callerSpan(request),
        attributes: { "http.request.method": method, "http.route": route }
      }, (span) => work({ span, method, clock, started: clock.monotonicTimeNanosUnsafe(), annotations: {} }))
    },
    record: (
      { annotations, clock, method, span, started }: Observation,
      status: number,
      context: Context.Context<never>,
      claims?: AccessClaims
    ): Effect.Effect<void> => {
      const duration_ms = toMilliseconds(clock.monotonicTimeNanosUnsafe() - started)
      const { count, time } = series(method, status)
      count.updateUnsafe(1, context)
      time.updateUnsafe(duration_ms / 1000, context)
      span.attribute("http.response.status_code", status)
      const names = namesOf(claims)
      for (const name in names) span.attribute(`lastro.${name}`, names[name])
      if (LogLevel.isGreaterThan(Context.get(context, References.MinimumLogLevel), "Info")) return Effect.void
      // This is the last log entry of the request, so the annotations affect no other entry.
      Object.assign(annotations, { method, route, status, duration_ms }, names)
      return logRequest
    }
  }
}
