import { type Context, Effect, Metric } from "effect"
import { type AdmissionRefusal } from "./AdmissionQueue.ts"
import { type WorkKind } from "./WaitingLine.ts"

/** The reason for a 503 under load, or, for `network`, a 429 because the client network exceeded a limit. */
type RefusalReason = AdmissionRefusal | "deadline" | "network"

const refusedRequests = Metric.counter("http_server_refused_requests_total", {
  description:
    "HTTP requests answered with 503 because of load, or with 429 because their network exceeded a limit, by reason",
  incremental: true
})

const queuedRequests = Metric.gauge("http_server_queued_requests", {
  description: "HTTP requests that wait for a slot, by kind"
})

/** Counters of refused requests, by reason. */
export const refusalCounters = {
  queue_full: Metric.withAttributes(refusedRequests, { reason: "queue_full" }),
  queue_timeout: Metric.withAttributes(refusedRequests, { reason: "queue_timeout" }),
  deadline: Metric.withAttributes(refusedRequests, { reason: "deadline" }),
  network: Metric.withAttributes(refusedRequests, { reason: "network" })
} satisfies Readonly<Record<RefusalReason, unknown>>

const queueGauges = {
  read: Metric.withAttributes(queuedRequests, { kind: "read" }),
  write: Metric.withAttributes(queuedRequests, { kind: "write" })
}

/** The log messages about refused requests, by the status of the response. */
const messages = {
  503: "overloaded; refused requests with 503",
  429: "rate limit of a network reached; refused requests without a known caller with 429"
}

/** Minimum milliseconds between two log lines with the same message. */
const logInterval = 1_000

/** Records the queue length and the refused requests. Logs each message at most once per second. */
export class AdmissionMeter {
  readonly #context: Context.Context<never>
  readonly #lengths = { read: 0, write: 0 }
  /** The numbers of refused requests since the last log line. */
  readonly #unlogged = { 503: 0, 429: 0 }

  constructor(context: Context.Context<never>) {
    this.#context = context
    // Create the time series at the start, so that the first refused request appears as an increase.
    for (const counter of Object.values(refusalCounters)) counter.updateUnsafe(0, context)
    for (const gauge of Object.values(queueGauges)) gauge.updateUnsafe(0, context)
  }

  /** Records the number of waiting requests of a kind. */
  queued(kind: WorkKind, length: number): void {
    if (this.#lengths[kind] === length) return
    this.#lengths[kind] = length
    queueGauges[kind].updateUnsafe(length, this.#context)
  }

  refused(reason: AdmissionRefusal): void {
    refusalCounters[reason].updateUnsafe(1, this.#context)
    this.#logLater(503)
  }

  /** Counts a request that was answered with 429 because its network reached a limit. */
  limited(): void {
    refusalCounters.network.updateUnsafe(1, this.#context)
    this.#logLater(429)
  }

  #logLater(status: keyof typeof messages): void {
    this.#unlogged[status] += 1
    if (this.#unlogged[status] > 1) return
    setTimeout(() => {
      const refused = this.#unlogged[status]
      this.#unlogged[status] = 0
      Effect.runForkWith(this.#context)(Effect.annotateLogs(Effect.logWarning(messages[status]), { refused }))
    }, logInterval)
  }
}
