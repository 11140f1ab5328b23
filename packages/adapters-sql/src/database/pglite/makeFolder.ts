import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { syncFolder } from "./syncPath.ts"

const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

/**
 * Creates a folder and its missing parents, and syncs their names to disk. Node's own recursive `mkdir` is not used,
 * because it hangs if the parent exists but the system call fails with ENOENT, as under `/proc`.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  const parent = dirname(folder)
  try {
    await mkdir(folder)
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return
    if (!hasCode(cause, "ENOENT") || parent === folder) throw cause
    await makeFolder(parent)
    await mkdir(folder).catch((retryCause: unknown) => {
      if (!hasCode(retryCause, "EEXIST")) throw retryCause
    })
  }
  await syncFolder(parent)
}
