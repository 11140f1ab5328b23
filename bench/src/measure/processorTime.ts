import { readdirSync, readFileSync } from "node:fs"

/** Milliseconds of a clock tick in `/proc`: Linux has 100 per second. */
const tick = 10

interface Stat {
  readonly parent: number
  /** Milliseconds of processor time of the process. */
  readonly own: number
  /** Milliseconds of processor time of its ended children. */
  readonly ended: number
}

/** Reads the statistics of a process; undefined if it does not exist or without `/proc`. */
const statOf = (pid: number): Stat | undefined => {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return undefined
  }
  // The name is in brackets and may contain any character.
  const [, parent = 0, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
    .slice(stat.lastIndexOf(")") + 2).split(" ").map(Number)
  return { parent, own: (user + system) * tick, ended: (endedUser + endedSystem) * tick }
}

/** Returns the parent of a process; undefined if unavailable. */
export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent

/** Returns the processor time of a process with its threads in milliseconds; undefined if unavailable. */
export const processorTime = (pid: number): number | undefined => statOf(pid)?.own

/** Returns the processor time of the running children of a process in milliseconds. */
const childrenTime = (parent: number): number => {
  let time = 0
  for (const name of readdirSync("/proc")) {
    const child = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (child?.parent === parent) time += child.own
  }
  return time
}

/** Maximum number of attempts while children keep ending. */
const looks = 20

/**
 * Returns the processor time of a process and its children, ended ones included, in milliseconds; undefined if unavailable. The time
 * of a child that ends counts for its parent, so a child that ends during the sum would be lost.
 */
export const familyTime = (parent: number | undefined): number | undefined => {
  if (parent === undefined) return undefined
  for (let look = 0; look < looks; look++) {
    const before = statOf(parent)
    const children = childrenTime(parent)
    const after = statOf(parent)
    if (before === undefined || after === undefined) return undefined
    if (before.ended === after.ended) return after.own + after.ended + children
  }
  return undefined
}

/** Starts a meter of a growing time. The meter returns the growth; undefined if unavailable. */
export const metered = (time: () => number | undefined): () => number | undefined => {
  const before = time()
  return () => {
    const now = time()
    return before === undefined || now === undefined ? undefined : now - before
  }
}
