import { Context, Effect, Option, Tracer } from "effect"

/** A `traceparent` of version 00: the trace id, the id of the span, and the flags (W3C Trace Context §3.2). */
const traceparentFormat = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const spanOf = (traceparent: string): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags = ""] = traceparentFormat.exec(traceparent) ?? []
  return traceId === undefined || spanId === undefined
    ? undefined
    : Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

/**
 * Returns the `traceparent` of the current span, which is stored with jobs and events (W3C Trace Context). Null without
 * a span, or if its ids have another format.
 */
export const currentTraceparent: Effect.Effect<string | null> = Effect.map(
  Effect.option(Effect.currentParentSpan),
  (current) => {
    if (Option.isNone(current)) return null
    const { sampled, spanId, traceId } = current.value
    const traceparent = `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
    return traceparentFormat.test(traceparent) ? traceparent : null
  }
)

/** A run of background work, with the trace context of its cause. */
export interface TracedWork {
  readonly kind: string
  readonly id: string
  /** The `traceparent` of the request or job that caused the work. Null if there is none. */
  readonly traceparent: string | null
  /** True if the run can start long after its cause. */
  readonly isLate: boolean
}

/**
 * Runs background work in a span of the kind `consumer`, as a child of the span that caused the work. A late run is a
 * trace of its own, with a link to that span. The semantic conventions of OpenTelemetry for messaging allow both.
 */
export const continueTrace = <A, E, R>(
  { id, isLate, kind, traceparent }: TracedWork,
  run: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const cause = traceparent === null ? undefined : spanOf(traceparent)
  if (cause === undefined) return run
  return Effect.useSpan(
    `process ${kind}`,
    {
      kind: "consumer",
      ...(isLate ? { root: true, links: [{ span: cause, attributes: {} }] } : { parent: cause }),
      attributes: {
        "messaging.system": "lastro",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": kind,
        "messaging.message.id": id
      }
    },
    (span) =>
      Effect.updateContext(
        run,
        (context: Context.Context<R>): Context.Context<R> => Context.add(context, Tracer.ParentSpan, span)
      )
  )
}
