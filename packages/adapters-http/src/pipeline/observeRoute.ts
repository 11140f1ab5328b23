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

/**
 * Methods that have their own time series. All other methods share one series, because clients can send arbitrary
 * methods.
 */
const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])

/** Converts nanoseconds to milliseconds with two decimals. */
const toMilliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 10_000n) / 100

/** The metrics of one route, method and status. */
interface Series {
  readonly count: Metric.Metric<number, unknown>
  readonly time: Metric.Metric<number, unknown>
}

/**
 * Makes a function that returns the time series of a route by method and status. Each series is created at its first
 * use.
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

/** The statuses of a failure that an alert watches. */
const watchedStatuses = [500, 503]

/**
 * Creates the series of each route with the value 0, for its status of success and for the watched failures. So an
 * alert sees the first failure as an increase. The series of any other status is created when the status first occurs.
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
 * Returns the span of the caller (W3C Trace Context). Logs and jobs keep its trace id, so a trace id that could be a
 * padded document number is ignored (AUDIT-04).
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
  /** The monotonic time in nanoseconds at which the request started. */
  readonly started: bigint
  /** The annotations of the log entries of the request. They are in its context. */
  readonly annotations: Record<string, unknown>
}

/**
 * The caller of a request, as logs and spans name it: its root partner and, of an API client, its `client_id`. A user
 * is a person, so its id is left out.
 */
const namesOf = (claims: AccessClaims | undefined): Readonly<Record<string, string>> => {
  const caller = claims === undefined ? undefined : lastCallerOf(claims)
  if (caller === undefined) return {}
  const { kind, root_id, subject } = caller
  return kind === "client" ? { client_id: subject, root_partner_id: root_id } : { root_partner_id: root_id }
}

const logRequest = Effect.logInfo("request")

const noStack = () => undefined

/** Adds the span of a request to a context. */
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
 * Makes the functions that observe the requests of a route. `inSpan` runs the work of a request in a span, which
 * continues the caller's trace. `record` writes the metrics and one log line, for the caller of the verified token.
 * Only the route is recorded and never the URL, because paths contain ids, and queries contain personal data.
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
      // It is the last entry of the request, so no other gets these annotations.
      Object.assign(annotations, { method, route, status, duration_ms }, names)
      return logRequest
    }
  }
}
