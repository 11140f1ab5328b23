import { readdirSync, readFileSync } from "node:fs"

/** How finely Linux counts the time of a process for `/proc`. */
const ticksPerSecond = 100

/** A process' parent and the ticks it has run, itself and with the children that it outlived. */
const statOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name stands in brackets and may hold anything.
  const [, parent, , , , , , , , , , user, system, children, childrenSystem] = stat.slice(stat.lastIndexOf(")") + 2)
    .split(" ").map(Number)
  const own = (user ?? 0) + (system ?? 0)
  return { parent, own, all: own + (children ?? 0) + (childrenSystem ?? 0) }
}

/** The seconds that a process has run on any processor, its threads included. Linux only. */
export const processorSeconds = (pid: number): number => statOf(pid).own / ticksPerSecond

/** The process that started another. */
export const parentOf = (pid: number): number => statOf(pid).parent ?? 0

/** The seconds that a process and its children have run, those that have ended included. */
export const familySeconds = (parent: number): number => {
  let ticks = statOf(parent).all
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = statOf(Number(name))
      if (stat.parent === parent) ticks += stat.own
    } catch {
      // It ended while we looked: its parent counts it from now on.
    }
  }
  return ticks / ticksPerSecond
}
