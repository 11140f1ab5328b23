import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"

const pageSize = 4_096

/** Resident memory of a process in bytes, from `/proc` on Linux or else from `ps`. */
export const residentMemory = (pid: number): Effect.Effect<number> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/statm`, "utf8").then(
      (pages) => Number(pages.split(" ")[1]) * pageSize,
      async () => Number((await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)])).stdout) * 1_024
    )
  )

/** Largest resident memory that a process has had, in bytes. Outside of Linux, its present resident memory. */
export const peakMemory = (pid: number): Effect.Effect<number> =>
  Effect.flatMap(
    Effect.promise(() => readFile(`/proc/${pid}/status`, "utf8").catch(() => "")),
    (status) => {
      const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
      return kibibytes === undefined ? residentMemory(pid) : Effect.succeed(Number(kibibytes) * 1_024)
    }
  )
