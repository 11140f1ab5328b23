import { type Context, Effect, Metric } from "effect"
import { type AdmissionRefusal } from "./AdmissionQueue.ts"
import { type WorkKind } from "./WaitingLine.ts"

/** Why a request was answered with 503 under load, or with 429 because its client network exceeded a limit. */
export type RefusalReason = AdmissionRefusal | "deadline" | "network"

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

/** Minimum milliseconds between two log lines about refused requests. */
const logInterval = 1_000

/**
 * Records the queue length and the refused requests. Logs at most one line per second, because refusals can be
 * frequent.
 */
export class AdmissionMeter {
  readonly #context: Context.Context<never>
  readonly #lengths = { read: 0, write: 0 }
  #unlogged = 0
  #unloggedLimited = 0

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
    this.#unlogged += 1
    if (this.#unlogged === 1) setTimeout(() => this.#log(), logInterval)
  }

  /** Counts a request that was answered with 429 because its network reached a limit. */
  limited(): void {
    refusalCounters.network.updateUnsafe(1, this.#context)
    this.#unloggedLimited += 1
    if (this.#unloggedLimited === 1) setTimeout(() => this.#logLimited(), logInterval)
  }

  #log(): void {
    const refused = this.#unlogged
    this.#unlogged = 0
    this.#warn("overloaded; refused requests with 503", refused)
  }

  #logLimited(): void {
    const refused = this.#unloggedLimited
    this.#unloggedLimited = 0
    this.#warn("rate limit of a network reached; refused requests without a known caller with 429", refused)
  }

  #warn(message: string, refused: number): void {
    Effect.runForkWith(this.#context)(Effect.annotateLogs(Effect.logWarning(message), { refused }))
  }
}
