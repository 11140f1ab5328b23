import { Context, Effect, Option, Tracer } from "effect"
import { type Job, type JobProgress } from "./Job.ts"

/** A `traceparent` of version 00: the trace id, the id of the span, and the flags (W3C Trace Context §3.2). */
const traceparentFormat = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const spanOf = (traceparent: string): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags = ""] = traceparentFormat.exec(traceparent) ?? []
  return traceId === undefined || spanId === undefined
    ? undefined
    : Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

/**
 * Returns the `traceparent` of the current span, which a started job stores (W3C Trace Context). Null if there is no
 * span, or if its ids have another format.
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

/** A run of a job, with the `traceparent` of the request that started the job. */
export interface TracedRun {
  readonly job: Job
  readonly progress: JobProgress
  /** Null if the job was started without a trace. */
  readonly traceparent: string | null
}

/**
 * Runs a job in a span of the kind `consumer`. Until the lender has answered, the span is a child of the span that
 * started the job, so one trace shows the request, its job and the calls to the lender. A contract is polled for years.
 * Each of these polls is a trace of its own, with a link to the span that started the job. The semantic conventions of
 * OpenTelemetry for messaging allow both: they recommend the link, and allow the parent if a span processes a single
 * message.
 */
export const continueTrace = <A, E, R>(
  { job, progress, traceparent }: TracedRun,
  run: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const started = traceparent === null ? undefined : spanOf(traceparent)
  if (started === undefined) return run
  const isPoll = progress.attempt === 0
  return Effect.useSpan(
    `process ${job.kind}`,
    {
      kind: "consumer",
      ...(isPoll ? { root: true, links: [{ span: started, attributes: {} }] } : { parent: started }),
      attributes: {
        "messaging.system": "lastro",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": job.kind,
        "messaging.message.id": job.id
      }
    },
    (span) =>
      Effect.updateContext(
        run,
        (context: Context.Context<R>): Context.Context<R> => Context.add(context, Tracer.ParentSpan, span)
      )
  )
}
