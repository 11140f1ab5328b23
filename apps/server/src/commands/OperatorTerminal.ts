import { Context, Effect } from "effect"
import { Flag } from "effect/cli"
import { createInterface } from "node:readline"
import { refuse, reportFinding } from "./refused.ts"

/** The terminal of the person who runs a command. */
export interface Terminal {
  /** Asks a question with the answers yes and no. Undefined if no person can answer. */
  readonly ask: ((question: string) => Effect.Effect<boolean>) | undefined
  /** True if a person reads the standard error. */
  readonly isWatched: boolean
  /** True if a person reads the standard output on a terminal. */
  readonly isScreen: boolean
  /** Shows the current step of a command if it takes more than a second and a person reads the terminal. */
  readonly showStep: (step: string) => Effect.Effect<void>
  /** Removes the step from the terminal. */
  readonly clearStep: Effect.Effect<void>
  /** Waits until the printed lines were sent, so that a long output does not fill the memory. */
  readonly flushed: Effect.Effect<void>
}

/** The line of a terminal that shows the current step of a command and its seconds. It appears after one second. */
class ProgressLine {
  #timer: NodeJS.Timeout | undefined
  #startedAt = 0
  #step = "Working"
  #isShown = false

  /** Sets the step. The first step starts the line. */
  step(step: string): void {
    if (process.stderr.isTTY !== true) return
    if (this.#timer === undefined) {
      this.#startedAt = performance.now()
      this.#timer = setInterval(() => this.#show(), 1_000).unref()
    }
    this.#step = step
    // A statement of the embedded database can block the timer, so each later step is shown at once.
    if (performance.now() - this.#startedAt > 1_000) this.#show()
  }

  clear(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#isShown) process.stderr.write("\r\x1b[K")
    this.#isShown = false
  }

  #show(): void {
    this.#isShown = true
    process.stderr.write(`\r${this.#step}… ${Math.round((performance.now() - this.#startedAt) / 1_000)} s\x1b[K`)
  }
}

const progressLine = new ProgressLine()

/** Asks on the terminal of this process. Every answer except `y` and `yes` means no. */
const askHere = (question: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    progressLine.clear()
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    // While the line is read, Ctrl-C arrives here. End the command, as Ctrl-C does otherwise.
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"))
    lines.on("close", () => resume(Effect.succeed(false)))
    lines.question(`${question} [y/N] `, (answer) => {
      resume(Effect.succeed(/^y(?:es)?$/i.test(answer.trim())))
      lines.close()
    })
    return Effect.sync(() => lines.close())
  })

/** The terminal of the command. Default: that of this process. */
export const OperatorTerminal: Context.Reference<Terminal> = Context.Reference<Terminal>(
  "@lastro/server/commands/OperatorTerminal",
  {
    defaultValue: () => ({
      ask: process.stdin.isTTY && process.stderr.isTTY ? askHere : undefined,
      isWatched: process.stderr.isTTY === true,
      isScreen: process.stdout.isTTY === true,
      showStep: (step) => Effect.sync(() => progressLine.step(step)),
      clearStep: Effect.sync(() => progressLine.clear()),
      // Writes to standard output are synchronous.
      flushed: Effect.void
    })
  }
)

/**
 * Shows a step on the terminal while an effect runs, if it takes more than a second. The line disappears before the
 * command prints its result.
 */
export const withStep = (step: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    OperatorTerminal,
    ({ clearStep, showStep }) => Effect.andThen(showStep(step), Effect.ensuring(effect, clearStep))
  )

/** The flag that confirms a change that cannot be undone. With it, no question is asked. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do not ask for a confirmation. Required without a terminal"),
  Flag.withDefault(false)
)

/** Asks for the confirmation of a change that cannot be undone, unless `--yes` is set. Fails if nobody confirms it. */
export const confirmChange = Effect.fnUntraced(function*(isConfirmed: boolean, question: string) {
  if (isConfirmed) return
  const { ask } = yield* OperatorTerminal
  if (ask === undefined) {
    return yield* refuse(
      "This cannot be undone, and there is no terminal to confirm it. Nothing was changed. Set --yes."
    )
  }
  if (!(yield* ask(question))) return yield* reportFinding("Not confirmed. Nothing was changed.")
})
