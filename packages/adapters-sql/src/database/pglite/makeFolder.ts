import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

/**
 * Makes a folder, and those above it that are not there. Node's own recursion never ends where a folder cannot be made in one
 * that is there and the system says ENOENT, as under `/proc`.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder)
  } catch (cause) {
    if (isCode(cause, "EEXIST")) return
    const above = dirname(folder)
    if (!isCode(cause, "ENOENT") || above === folder) throw cause
    await makeFolder(above)
    await mkdir(folder).catch((again: unknown) => {
      if (!isCode(again, "EEXIST")) throw again
    })
  }
}
