/** Maximum milliseconds for which a line waits for further lines. */
const maxWait = 5

/** Maximum number of waiting characters. With more, the lines are written at once. */
const maxPending = 65_536

/**
 * Maximum number of bytes that the kernel writes to a pipe without interruption (PIPE_BUF of Linux). The processes of a
 * server share standard output, so a longer write could be mixed with lines of another process.
 */
const maxWrite = 4_096

const newline = 10

/** Splits lines into pieces of whole lines that fit into one uninterrupted write. A longer line is a separate piece. */
const piecesOf = (lines: string): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(lines)
  const pieces: Array<Buffer> = []
  for (let start = 0; start < bytes.length;) {
    const last = start + maxWrite >= bytes.length ? bytes.length - 1 : bytes.lastIndexOf(newline, start + maxWrite - 1)
    const end = last < start ? bytes.indexOf(newline, start) : last
    pieces.push(bytes.subarray(start, end + 1))
    start = end + 1
  }
  return pieces
}

/**
 * Writes several lines with one system call, because a system call takes longer than making a line. A line waits at
 * most 5 ms. A normal end of the process writes the waiting lines; a crash or SIGKILL loses them.
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
  const writer = new LineWriter((text) => piecesOf(text).forEach((piece) => process.stdout.write(piece)))
  process.stdout.on("error", () => undefined)
  process.once("exit", writer.flush)
  return standardOutput = writer
}
