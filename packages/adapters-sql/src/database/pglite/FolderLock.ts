import { Effect, Schema, type Scope } from "effect"
import { open, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { makeFolder } from "./makeFolder.ts"

/** Another process has the data folder open; only one may, or they would corrupt it. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  folder: Schema.String,
  pid: Schema.Int
}) {
  override get message(): string {
    return `The data folder ${this.folder} is in use by process ${this.pid}; only one process can open it at a time.`
  }
}

/** The folders this process has open: of an own lock from an earlier life under the same pid nothing stands here. */
const opened = new Set<string>()

/** What tells a process from a later one with the same pid: when it started, where the system says so (Linux). */
const startOf = async (pid: number): Promise<string> => {
  try {
    // The command, in parentheses, may hold blanks; the start time is the 20th field after it (proc_pid_stat(5)).
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
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

const isHeld = async (mark: string, folder: string): Promise<boolean> => {
  const [pid, start] = mark.split(" ")
  const id = Number(pid)
  if (!Number.isInteger(id) || id <= 0) return false
  if (id === process.pid) return opened.has(folder)
  return isRunning(id) && start === await startOf(id)
}

const write = async (file: string, mark: string): Promise<boolean> => {
  try {
    const handle = await open(file, "wx")
    await handle.writeFile(mark)
    await handle.close()
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

const read = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "")

/** Puts a mark in the place of one that a dead process left behind, and tells whether ours is the one that stands. */
const takeOver = async (file: string, mark: string): Promise<boolean> => {
  // Moved aside rather than removed: of two that take over at once only one succeeds in moving this very file.
  const aside = `${file}.${process.pid}`
  await rename(file, aside).catch(() => undefined)
  await rm(aside, { force: true })
  // The other may have read the stale mark as well and moves ours aside: whose mark stands in the end has the lock.
  if (await write(file, mark)) await setTimeout(50)
  return await read(file) === mark
}

const lock = async (folder: string, file: string, mark: string): Promise<FolderInUse | undefined> => {
  if (await write(file, mark)) return undefined
  const found = await read(file)
  if (await isHeld(found, folder)) return new FolderInUse({ folder, pid: Number(found.split(" ")[0]) })
  return await takeOver(file, mark) ? undefined : lock(folder, file, mark)
}

/** Keeps a folder for this process until the scope closes. A lock that a dead process left behind is taken over. */
export const lockFolder = (folder: string): Effect.Effect<void, FolderInUse, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(
      Effect.promise(async () => {
        await makeFolder(folder)
        const refused = await lock(folder, join(folder, "lock"), `${process.pid} ${await startOf(process.pid)}`)
        if (refused === undefined) opened.add(folder)
        return refused
      }),
      (refused) => refused === undefined ? Effect.void : Effect.fail(refused)
    ),
    () =>
      Effect.promise(async () => {
        opened.delete(folder)
        await rm(join(folder, "lock"), { force: true })
      })
  )
