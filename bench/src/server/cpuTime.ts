import { readFile } from "node:fs/promises"

/** Clock ticks a second in `/proc`, on every Linux that runs Node. */
const ticks = 100

/** Milliseconds of processor time that a process of Linux has used so far; undefined where that cannot be told. */
export const cpuTime = async (pid: number): Promise<number | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    // The name of the program may hold spaces; what follows its parenthesis does not.
    const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13).map(Number)
    return user === undefined || system === undefined ? undefined : (user + system) * 1000 / ticks
  } catch {
    return undefined
  }
}

/** The same of several processes by their ids; those that cannot be told are left out. */
export const cpuTimes = async (pids: Iterable<number>): Promise<ReadonlyMap<number, number>> => {
  const times = await Promise.all([...pids].map(async (pid) => [pid, await cpuTime(pid)] as const))
  return new Map(times.flatMap(([pid, time]) => time === undefined ? [] : [[pid, time] as const]))
}

/** What processes used between two readings; undefined where there is no reading. */
export const cpuBetween = (
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>
): number | undefined =>
  after.size === 0
    ? undefined
    : [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0)
