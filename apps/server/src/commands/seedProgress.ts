import { type OnProgress, type SeedProgress } from "@lastro/seed"
import { Clock, Effect } from "effect"

/**
 * The output for progress messages. On a terminal, each message replaces the previous one. Elsewhere, each message is a
 * separate line.
 */
export interface ProgressOutput {
  readonly isTerminal: boolean
  readonly write: (text: string) => void
}

const width = 30

/** Milliseconds between two updates of a step. */
const interval = { terminal: 100, lines: 5_000 }

/** Formats a count with spaces between thousands: `1 000 000`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, " ")

const formatBar = ({ done, step, total }: SeedProgress): string => {
  const full = Math.floor(width * done / total)
  const percent = String(Math.floor(100 * done / total)).padStart(3)
  return `${step.padEnd(12)} ${"█".repeat(full)}${"░".repeat(width - full)} ${percent} %  ${formatCount(done)} of ${
    formatCount(total)
  }`
}

const formatLine = ({ done, step, total }: SeedProgress): string =>
  `${step} ${formatCount(done)} of ${formatCount(total)}`

/**
 * Prints progress. On a terminal, each step has a bar. Elsewhere, prints a line every 5 s and at the end of each step.
 */
export const printProgress = ({ isTerminal, write }: ProgressOutput): OnProgress => {
  let printedAt = 0
  const print = (progress: SeedProgress, now: number): void => {
    const { done, total } = progress
    if (total === 0) return
    const hasEnded = done === total
    const isDue = now - printedAt >= (isTerminal ? interval.terminal : interval.lines)
    if (!hasEnded && !isDue && !(isTerminal && done === 0)) return
    printedAt = now
    write(isTerminal ? `\r${formatBar(progress)}\x1b[K${hasEnded ? "\n" : ""}` : `${formatLine(progress)}\n`)
  }
  return (progress) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (printedAt === 0) printedAt = now
      print(progress, now)
    })
}
