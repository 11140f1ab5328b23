/** Maximum time in milliseconds for which a line waits for further lines. */
const maxWait = 5

/** Maximum number of waiting characters. If there are more, the lines are written at once. */
const maxPending = 65_536

/**
 * Writes several lines with one system call, because a system call takes longer than making a line. A line waits at
 * most 5 ms. A normal end of the process writes the remaining lines. A crash or SIGKILL loses them.
 */
export class LineWriter {
  readonly #write: (text: string) => void
  #pending = ""
  #timer: NodeJS.Timeout | undefined

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  readonly add = (line: string): void => {
    this.#pending += `${line}\n`
    if (this.#pending.length >= maxPending) return this.flush()
    // The event `exit` also writes the waiting lines, so this timer need not keep the process alive.
    this.#timer ??= setTimeout(this.flush, maxWait).unref()
  }

  /** Writes the waiting lines now. */
  readonly flush = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending === "") return
    const text = this.#pending
    this.#pending = ""
    this.#write(text)
  }
}

let standardOutput: LineWriter | undefined

/** Returns the writer of standard output. An error of the stream, such as a closed pipe, does not end the process. */
export const stdoutLines = (): LineWriter => {
  if (standardOutput !== undefined) return standardOutput
  const writer = new LineWriter((text) => process.stdout.write(text))
  process.stdout.on("error", () => undefined)
  process.once("exit", writer.flush)
  return standardOutput = writer
}
