import { readFile } from "node:fs/promises"

/** MiB of memory that a process of Linux has in use; undefined where that cannot be told. */
export const residentMemory = async (pid: number): Promise<number | undefined> => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1_024
  } catch {
    return undefined
  }
}
