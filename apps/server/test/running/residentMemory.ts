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
