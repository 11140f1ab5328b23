import { readdirSync, readFileSync } from "node:fs"

/** Milliseconds per clock tick in `/proc`. Linux has 100 ticks per second. */
const tick = 10

interface Stat {
  readonly parent: number
  /** Processor time of the process in milliseconds. */
  readonly own: number
  /** The part of `own` that the kernel used for the process. */
  readonly kernel: number
  /** Processor time of its ended children in milliseconds. */
  readonly ended: number
}

/** Reads the statistics of a process. Returns undefined if the process does not exist or the system has no `/proc`. */
const statOf = (pid: number): Stat | undefined => {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return undefined
  }
  // The name of the process is in parentheses and may contain any character, so the fields are counted after it.
  const [, parent = 0, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
    .slice(stat.lastIndexOf(")") + 2).split(" ").map(Number)
  return { parent, own: (user + system) * tick, kernel: system * tick, ended: (endedUser + endedSystem) * tick }
}

/** Returns the process id of a process's parent; undefined if unavailable. */
export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent

/** Returns the processor time of a process, including its threads, in milliseconds; undefined if unavailable. */
export const processorTime = (pid: number): number | undefined => statOf(pid)?.own

/** Returns the part of a process's processor time that the kernel used, in milliseconds; undefined if unavailable. */
export const kernelTime = (pid: number): number | undefined => statOf(pid)?.kernel

/** Returns the processor time of all running children of a process in milliseconds. */
const childrenTime = (parent: number): number => {
  let time = 0
  for (const name of readdirSync("/proc")) {
    const child = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (child?.parent === parent) time += child.own
  }
  return time
}

/** Maximum number of attempts to add up the times. An attempt fails if a child process ends in the meantime. */
const maxAttempts = 20

/**
 * Returns the processor time of a process and all its children, including those that have ended, in milliseconds.
 * Returns undefined if unavailable. The time of a child that ends is added to its parent. If that happens during the
 * addition, the time of the child may be missing, so the sum is computed again.
 */
export const familyTime = (parent: number | undefined): number | undefined => {
  if (parent === undefined) return undefined
  for (let look = 0; look < maxAttempts; look++) {
    const before = statOf(parent)
    const children = childrenTime(parent)
    const after = statOf(parent)
    if (before === undefined || after === undefined) return undefined
    if (before.ended === after.ended) return after.own + after.ended + children
  }
  return undefined
}

/**
 * Reads a time that only increases. Returns a function that reads it again and returns the difference, or undefined if
 * unavailable.
 */
export const metered = (time: () => number | undefined): () => number | undefined => {
  const before = time()
  return () => {
    const now = time()
    return before === undefined || now === undefined ? undefined : now - before
  }
}
