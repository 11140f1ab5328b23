import { type OnProgress, type SeedProgress } from "@lastro/seed"
import { Clock, Effect } from "effect"

/** Where progress is written to: whether a person sees each change, and how. */
export interface ProgressOutput {
  readonly isTerminal: boolean
  readonly write: (text: string) => void
}

const width = 30

/** How often a step that is under way is shown, in milliseconds: a line that stays is shown more rarely. */
const pause = { terminal: 100, lines: 5_000 }

/** A count as people read it: `1 000 000`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, " ")

const bar = ({ done, step, total }: SeedProgress): string => {
  const full = Math.floor(width * done / total)
  const percent = String(Math.floor(100 * done / total)).padStart(3)
  return `${step.padEnd(12)} ${"█".repeat(full)}${"░".repeat(width - full)} ${percent} %  ${grouped(done)} of ${
    grouped(total)
  }`
}

const line = ({ done, step, total }: SeedProgress): string => `${step} ${grouped(done)} of ${grouped(total)}`

/** Shows how far a seed is: a bar for each step on a terminal, else a line now and then and when a step has ended. */
export const seedProgress = ({ isTerminal, write }: ProgressOutput): OnProgress => {
  let shownAt = 0
  const show = (progress: SeedProgress, now: number): void => {
    const { done, total } = progress
    if (total === 0) return
    const isOver = done === total
    const isDue = now - shownAt >= (isTerminal ? pause.terminal : pause.lines)
    if (!isOver && !isDue && !(isTerminal && done === 0)) return
    shownAt = now
    write(isTerminal ? `\r${bar(progress)}\x1b[K${isOver ? "\n" : ""}` : `${line(progress)}\n`)
  }
  return (progress) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      // The first step begins the count.
      if (shownAt === 0) shownAt = now
      show(progress, now)
    })
}
