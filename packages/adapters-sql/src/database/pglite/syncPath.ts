import { errorCode } from "@lastro/domain/values"
import fs from "node:fs"
import { mkdir, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

const [open, fsync, close] = [promisify(fs.open), promisify(fs.fsync), promisify(fs.close)]

/** Windows cannot sync a folder. Its file system keeps file names in its own journal. */
const canSyncFolders = process.platform !== "win32"

const syncFile = async (file: string): Promise<void> => {
  const descriptor = await open(file, "r+")
  try {
    await fsync(descriptor)
  } finally {
    await close(descriptor)
  }
}

/** Syncs the file names in a folder to disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (!canSyncFolders) return
  const descriptor = await open(folder, "r")
  try {
    await fsync(descriptor)
  } finally {
    await close(descriptor)
  }
}

/** Syncs the file names in a folder to disk. Blocks the JavaScript thread. */
export const syncFolderNow = (folder: string): void => {
  if (!canSyncFolders) return
  const descriptor = fs.openSync(folder, "r")
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Syncs a folder and everything in it to disk, but not the targets of symbolic links. */
export const syncTree = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true })
  await Promise.all(entries.map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return syncTree(path)
    return entry.isFile() ? syncFile(path) : undefined
  }))
  await syncFolder(folder)
}

/**
 * Creates a folder and its missing parents, and syncs their names to disk. Returns whether this call created the
 * folder. Does not use Node's recursive `mkdir`: it hangs if the parent exists but the system call fails with ENOENT,
 * as under `/proc`.
 */
export const makeFolder = async (folder: string): Promise<boolean> => {
  const parent = dirname(folder)
  try {
    await mkdir(folder)
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false
    if (errorCode(cause) !== "ENOENT" || parent === folder) throw cause
    await makeFolder(parent)
    const isCreated = await mkdir(folder).then(() => true, (retryCause: unknown) => {
      if (errorCode(retryCause) !== "EEXIST") throw retryCause
      return false
    })
    if (!isCreated) return false
  }
  await syncFolder(parent)
  return true
}
