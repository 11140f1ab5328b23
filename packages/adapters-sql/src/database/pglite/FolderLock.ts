import { errorCode } from "@lastro/domain/values"
import { Effect, Schema, type Scope } from "effect"
import { open, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { makeFolder } from "./syncPath.ts"

/** Another process has opened the data folder. Two processes would corrupt the database in it. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  folder: Schema.String,
  pid: Schema.Int
}) {
  override get message(): string {
    return `The data folder ${this.folder} is in use by process ${this.pid}; only one process can open it at a time.`
  }
}

/**
 * The folders that this process has open. A lock file may contain the pid of this process although its folder is not in
 * this set. Then an earlier process with the same pid wrote the file.
 */
const openFolders = new Set<string>()

/**
 * Reads the start time of a process. It distinguishes the process from a later one with the same pid. Returns an empty
 * text on systems other than Linux.
 */
const readStartTime = async (pid: number): Promise<string> => {
  try {
    // The command is in parentheses and may contain spaces. The start time is the 20th field after it
    // (proc_pid_stat(5)).
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return errorCode(cause) === "EPERM"
  }
}

/** Returns whether the process that wrote the lock file is still running. The file contains its pid and start time. */
const isHeld = async (owner: string, folder: string): Promise<boolean> => {
  const [pid, start] = owner.split(" ")
  const id = Number(pid)
  if (!Number.isInteger(id) || id <= 0) return false
  if (id === process.pid) return openFolders.has(folder)
  return isRunning(id) && start === await readStartTime(id)
}

const createLockFile = async (file: string, owner: string): Promise<boolean> => {
  try {
    const handle = await open(file, "wx", 0o600)
    await handle.writeFile(owner)
    await handle.close()
    return true
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false
    throw cause
  }
}

const readLockFile = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "")

/** Replaces the lock file of a dead process. Returns whether this process now holds the lock. */
const takeOver = async (file: string, owner: string): Promise<boolean> => {
  // Rename the file instead of deleting it: of two processes at the same time, only one can rename it.
  const stale = `${file}.${process.pid}`
  await rename(file, stale).catch(() => undefined)
  await rm(stale, { force: true })
  // Another process may have read the stale file too, and may rename the new file. After this pause, the process named
  // in the file holds the lock.
  if (await createLockFile(file, owner)) await setTimeout(50)
  return await readLockFile(file) === owner
}

const acquireLock = async (folder: string, file: string, owner: string): Promise<FolderInUse | undefined> => {
  if (await createLockFile(file, owner)) return undefined
  const current = await readLockFile(file)
  if (await isHeld(current, folder)) return new FolderInUse({ folder, pid: Number(current.split(" ")[0]) })
  return await takeOver(file, owner) ? undefined : acquireLock(folder, file, owner)
}

/** Locks a folder for this process until the scope closes. Takes over the lock of a dead process. */
export const lockFolder = (folder: string): Effect.Effect<void, FolderInUse, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(
      Effect.promise(async () => {
        await makeFolder(folder)
        const refused = await acquireLock(
          folder,
          join(folder, "lock"),
          `${process.pid} ${await readStartTime(process.pid)}`
        )
        if (refused === undefined) openFolders.add(folder)
        return refused
      }),
      (refused) => refused === undefined ? Effect.void : Effect.fail(refused)
    ),
    () =>
      Effect.promise(async () => {
        openFolders.delete(folder)
        await rm(join(folder, "lock"), { force: true })
      })
  )
