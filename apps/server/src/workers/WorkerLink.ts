import { Readiness } from "@lastro/adapters-http"
import { type WorkRunner } from "@lastro/adapters-sql"
import { Deferred, Effect, Layer, Option, Schedule, Schema } from "effect"
import { metricsDocument } from "../layers/metrics.ts"
import { type FromWorker, ToWorker } from "./messages.ts"

const decode = Schema.decodeUnknownOption(ToWorker)

/** Sends a message to the supervisor. Completes when it was sent, or if the supervisor has ended. */
const send = (message: FromWorker): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (!process.connected || process.send === undefined) return resume(Effect.void)
    process.send(message, undefined, undefined, () => resume(Effect.void))
  })

/** The supervisor's request to stop this worker. */
export interface StopRequest {
  readonly reason: string
  readonly isReplaced: boolean
}

/** The connection of a worker to its supervisor. */
export class WorkerLink {
  readonly #stop = Deferred.makeUnsafe<StopRequest>()
  #areOthersReady = false
  #isReplaced = false
  #answerMetrics: (id: number) => void = () => undefined

  constructor() {
    process.on("message", this.#receive)
    // Without its supervisor, no process could restart or stop this worker.
    process.once("disconnect", () => this.#request({ reason: "the supervisor has ended", isReplaced: false }))
    // The channel alone must not keep the process alive.
    process.channel?.unref()
  }

  readonly isReplaced = (): boolean => this.#isReplaced

  /** Waits until the supervisor requests a stop, or ends. */
  readonly stopRequested: Effect.Effect<StopRequest> = Effect.suspend(() => Deferred.await(this.#stop))

  /** Reports ready while any worker of the server is ready, because they share the port. */
  readonly readiness: Layer.Layer<Readiness, never, Readiness> = Layer.effect(
    Readiness,
    Effect.map(
      Readiness,
      ({ isReady }) => Readiness.of({ isReady: Effect.map(isReady, (own) => own || this.#areOthersReady) })
    )
  )

  /** Sends the metrics when the supervisor requests them, and when the layer closes. */
  readonly metrics: Layer.Layer<never, never, WorkRunner> = Layer.effectDiscard(Effect.gen({ self: this }, function*() {
    const { text } = yield* metricsDocument
    const answer = (id: number) => Effect.flatMap(text, (text) => send({ kind: "metrics", id, text }))
    const run = Effect.runForkWith(yield* Effect.context<never>())
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        this.#answerMetrics = (id) => void run(answer(id))
      }),
      () =>
        Effect.andThen(
          Effect.sync(() => {
            this.#answerMetrics = () => undefined
          }),
          answer(0)
        )
    )
  }))

  /** Reports when the worker listens. Then reports every second whether it is ready. */
  readonly reports: Layer.Layer<never, never, Readiness> = Layer.effectDiscard(Effect.gen(function*() {
    const { isReady } = yield* Readiness
    yield* send({ kind: "listening" })
    const report = Effect.flatMap(isReady, (isReady) => send({ kind: "alive", isReady }))
    yield* Effect.forkScoped(Effect.repeat(report, Schedule.spaced("1 second")))
  }))

  #request(request: StopRequest): void {
    this.#isReplaced = request.isReplaced
    if (!request.isReplaced) this.#areOthersReady = false
    Deferred.doneUnsafe(this.#stop, Effect.succeed(request))
  }

  readonly #receive = (received: unknown): void => {
    const message = Option.getOrUndefined(decode(received))
    // Node.js itself sends other messages, for example under `node --watch`.
    if (message === undefined) return
    if (message.kind === "stop") this.#request(message)
    else if (message.kind === "metrics") this.#answerMetrics(message.id)
    else this.#areOthersReady = message.areReady
  }
}
