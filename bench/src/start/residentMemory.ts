import { readFile } from "node:fs/promises"

const reader = (field: string) => {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m")
  return async (pid: number): Promise<number | undefined> => {
    try {
      const kibibytes = line.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]
      return kibibytes === undefined ? undefined : Number(kibibytes) / 1_024
    } catch {
      return undefined
    }
  }
}

/** Returns the resident memory of a Linux process in MiB; undefined if unavailable. */
export const residentMemory = reader("VmRSS")

/** Returns the largest resident memory that a Linux process has had, in MiB; undefined if unavailable. */
export const peakMemory = reader("VmHWM")
