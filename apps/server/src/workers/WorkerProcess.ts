import { Deferred, Effect, Option, Schema } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { totalmem } from "node:os"
import { type Environment } from "../settings/readers.ts"
import { heapFlags, type WorkerPlace } from "../settings/workers.ts"
import { FromWorker, type ToWorker } from "./messages.ts"

const decode = Schema.decodeUnknownOption(FromWorker)

/** The end of a worker: its exit code, or the signal that ended it. */
export type Ending = number | NodeJS.Signals

/** Maximum wait for the metrics of a worker. */
const metricsTimeout = "2 seconds"

/** A worker process, as its supervisor uses it. */
export class WorkerProcess {
  readonly index: number
  readonly #child: ChildProcess
  readonly #listening = Deferred.makeUnsafe<void>()
  readonly #ready = Deferred.makeUnsafe<void>()
  readonly #ended = Deferred.makeUnsafe<Ending>()
  readonly #answers = new Map<number, (text: string) => void>()
  readonly #onChange: () => void
  readonly startedAt = performance.now()
  #lastId = 0
  #seenAt = this.startedAt
  #hasListened = false
  #isReady = false
  #ending: Ending | undefined
  #metrics = ""

  /** Starts a worker. Calls `onChange` when its readiness changes, and at its end. */
  constructor(place: WorkerPlace, environment: Environment, fds: ReadonlyArray<number>, onChange: () => void) {
    const { index, workers } = place
    this.index = index
    this.#onChange = onChange
    const program = process.argv[1] ?? ""
    const given = [...process.execArgv, environment["NODE_OPTIONS"] ?? ""].join(" ")
    const flags = heapFlags(given, Math.min(process.constrainedMemory() || totalmem(), totalmem()), workers)
    this.#child = spawn(
      process.execPath,
      [...process.execArgv, ...flags, program, "serve", "--worker", `${index}/${workers}/${fds.length}`],
      { env: { ...environment }, stdio: ["ignore", "inherit", "inherit", "ipc", ...fds] }
    )
    this.#child.on("message", this.#receive)
    this.#child.once("error", () => this.#end(1))
    this.#child.once("exit", (code, signal) => {
      const end = () => this.#end(code ?? signal ?? "SIGKILL")
      // The last messages may arrive after the end of the process.
      if (this.#child.connected) this.#child.once("disconnect", end)
      else end()
    })
    process.once("exit", this.kill)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get hasListened(): boolean {
    return this.#hasListened
  }

  /** False after the end of the worker. */
  get isReady(): boolean {
    return this.#isReady
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  /** Milliseconds since the last message of the worker. */
  get silence(): number {
    return performance.now() - this.#seenAt
  }

  /** The last metrics from the worker. */
  get lastMetrics(): string {
    return this.#metrics
  }

  readonly listening: Effect.Effect<void> = Effect.suspend(() => Deferred.await(this.#listening))
  /** Waits until the worker listens and is ready. */
  readonly ready: Effect.Effect<void> = Effect.suspend(() => Deferred.await(this.#ready))
  readonly ended: Effect.Effect<Ending> = Effect.suspend(() => Deferred.await(this.#ended))

  /** Sends a message to the worker. Does nothing if it has ended. */
  readonly send = (message: ToWorker): void => {
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  readonly kill = (): void => {
    if (this.#ending === undefined) this.#child.kill("SIGKILL")
  }

  /** Requests the metrics of the worker. If it does not respond in time, returns the last ones it sent. */
  readonly readMetrics: Effect.Effect<string> = Effect.suspend(() => {
    const id = ++this.#lastId
    const answer = Effect.callback<string>((resume) => {
      this.#answers.set(id, (text) => resume(Effect.succeed(text)))
      this.send({ kind: "metrics", id })
      return Effect.sync(() => this.#answers.delete(id))
    })
    const ended = Effect.map(this.ended, () => this.#metrics)
    return this.#hasListened
      ? Effect.map(
        Effect.timeoutOption(Effect.raceFirst(answer, ended), metricsTimeout),
        Option.getOrElse(() => this.#metrics)
      )
      : Effect.succeed(this.#metrics)
  })

  readonly #receive = (received: unknown): void => {
    const message = Option.getOrUndefined(decode(received))
    if (message === undefined) return
    this.#seenAt = performance.now()
    if (message.kind === "metrics") {
      this.#metrics = message.text
      this.#answers.get(message.id)?.(message.text)
      this.#answers.delete(message.id)
    } else if (message.kind === "listening") {
      this.#hasListened = true
      Deferred.doneUnsafe(this.#listening, Effect.void)
    } else if (message.isReady !== this.#isReady) {
      this.#isReady = message.isReady
      if (message.isReady) Deferred.doneUnsafe(this.#ready, Effect.void)
      this.#onChange()
    }
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return
    this.#ending = ending
    this.#isReady = false
    process.off("exit", this.kill)
    Deferred.doneUnsafe(this.#ended, Effect.succeed(ending))
    this.#onChange()
  }
}
