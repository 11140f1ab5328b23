import { readdirSync, readFileSync } from "node:fs"

/** Milliseconds of a clock tick in `/proc`: there are 100 a second on every Linux that runs Node. */
const tick = 10

interface Stat {
  readonly parent: number
  /** Milliseconds that the process has run. */
  readonly own: number
  /** Milliseconds that the children have run which it outlived. */
  readonly ended: number
}

/** What Linux tells of a process; undefined where it tells nothing, or there is no such process. */
const statOf = (pid: number): Stat | undefined => {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return undefined
  }
  // The name stands in brackets and may hold anything.
  const [, parent = 0, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
    .slice(stat.lastIndexOf(")") + 2).split(" ").map(Number)
  return { parent, own: (user + system) * tick, ended: (endedUser + endedSystem) * tick }
}

/** The process that started another; undefined where that cannot be told. */
export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent

/** Milliseconds that a process has run on any processor, its threads included; undefined where that cannot be told. */
export const processorTime = (pid: number): number | undefined => statOf(pid)?.own

/** Milliseconds that those children of a process have run which are there. */
const childrenTime = (parent: number): number => {
  let time = 0
  for (const name of readdirSync("/proc")) {
    const child = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (child?.parent === parent) time += child.own
  }
  return time
}

/** How often we look at a family while its children keep ending. */
const looks = 20

/**
 * Milliseconds that a process and its children have run, those that have ended included; undefined where that cannot be
 * told. A child that ends is its parent's from then on: one that does so while we look would be lost.
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

/** Starts to measure a time that grows: tells how much it has grown since, undefined where that cannot be told. */
export const metered = (time: () => number | undefined): () => number | undefined => {
  const before = time()
  return () => {
    const now = time()
    return before === undefined || now === undefined ? undefined : now - before
  }
}
