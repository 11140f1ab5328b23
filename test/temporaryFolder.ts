import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs"
import { availableMemory } from "node:process"

/** The file system in memory of Linux. */
const memory = "/dev/shm"
const prefix = "lastro-tests-"

/** The memory that must be free, in bytes. A test run was seen to use 0.4 GiB of it. */
const needed = 4 * 1024 ** 3

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Removes the folders of test runs that were killed, except those of other users. */
const removeOldFolders = (): void => {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue
    const folder = `${memory}/${name}`
    if (statSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true })
  }
}

const hasSpace = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= needed && availableMemory() >= needed
  } catch {
    return false
  }
}

/**
 * Makes a folder in memory for the temporary files of this test run. Tests create and drop hundreds of databases, each with
 * about a thousand files, which costs several times as much on a disk. Returns undefined if the system has no file system
 * in memory, or little free memory.
 */
export const temporaryFolder = (): string | undefined => {
  if (!hasSpace()) return undefined
  removeOldFolders()
  const folder = `${memory}/${prefix}${process.pid}`
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  return folder
}
