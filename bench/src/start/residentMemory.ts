import { readFile } from "node:fs/promises"

/** Returns the resident memory of a Linux process in MiB; undefined if unavailable. */
export const residentMemory = async (pid: number): Promise<number | undefined> => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1_024
  } catch {
    return undefined
  }
}
