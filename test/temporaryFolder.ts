import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs"

/** The file system in memory of Linux. */
const memory = "/dev/shm"

/** The memory that must be free, in bytes. A test run was seen to use 0.4 GiB of it. */
const needed = 4 * 1024 ** 3

/** True if programs can run from the folder: the PostgreSQL of the tests is copied there if `nobody` cannot read ours. */
const isExecutable = (): boolean =>
  readFileSync("/proc/self/mounts", "utf8").split("\n").every((line) => {
    const [, folder, , options = ""] = line.split(" ")
    return folder !== memory || !options.split(",").includes("noexec")
  })

const isSuitable = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= needed && (process.availableMemory?.() ?? 0) >= needed && isExecutable()
  } catch {
    return false
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Removes the folders of test runs that were killed. A folder that cannot be removed stays. */
const removeOldFolders = (prefix: string): void => {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue
    try {
      rmSync(`${memory}/${name}`, { recursive: true, force: true })
    } catch {
      // It belongs to another user, or another test run is removing it.
    }
  }
}

/**
 * Makes a folder in memory for the temporary files of this test run. Tests create and drop hundreds of databases, each with
 * about a thousand files, which costs several times as much on a disk. Returns undefined if the system has no suitable file
 * system in memory, or less than 4 GiB of free memory.
 */
export const temporaryFolder = (): string | undefined => {
  if (!isSuitable()) return undefined
  // Containers can share the file system but not their process ids, so the name has the namespace of the process ids.
  const prefix = `lastro-tests-${statSync("/proc/self/ns/pid").ino}-`
  removeOldFolders(prefix)
  const folder = mkdtempSync(`${memory}/${prefix}${process.pid}-`)
  // As root, the tests run PostgreSQL as `nobody`, who must be able to enter the folder.
  chmodSync(folder, 0o755)
  return folder
}
