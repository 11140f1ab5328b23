import { Schema } from "effect"
import { chmod, lstat, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "./syncPath.ts"

/** Other users of the machine may own or change the data folder. */
export class FolderExposed extends Schema.TaggedError<FolderExposed>()("FolderExposed", {
  path: Schema.String,
  /** A sentence that states the reason and the remedy. */
  reason: Schema.String
}) {
  override get message(): string {
    return `The data folder is refused: ${this.reason}`
  }
}

/** The permission bits of the group and of others. */
const sharedBits = 0o077

/** Returns the permission bits of a file or folder without those of the group and of others. */
export const withoutSharedBits = (mode: number): number => mode & ~sharedBits

const ownedByOther = (path: string, owner: number, self: number) =>
  new FolderExposed({
    path,
    reason:
      `${path} belongs to user ${owner}, but this process runs as user ${self}. Run it as user ${owner}, or give the ` +
      `folder and its files to user ${self}.`
  })

/** The entries of the data folder that Lastro writes. Other files in the folder keep their permissions. */
const ownEntries: ReadonlySet<string> = new Set(["database", "lock"])

/** The id of the user that runs this process. Undefined on Windows, which has no permissions of this kind. */
const currentUser = process.getuid?.()

/**
 * Removes the permissions of other users from a file, or from a folder and its content. Returns an error if an entry
 * belongs to another user, because only the owner can change permissions. Symbolic links are left as they are.
 */
export const protectTree = async (path: string, self = currentUser): Promise<FolderExposed | undefined> => {
  if (self === undefined) return undefined
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) return undefined
  if (stats.uid !== self) return ownedByOther(path, stats.uid, self)
  if ((stats.mode & sharedBits) !== 0) await chmod(path, withoutSharedBits(stats.mode & 0o777))
  return stats.isDirectory() ? protectAll(path, await readdir(path), self) : undefined
}

/** Protects these entries of a folder. Returns the first error. */
const protectAll = async (
  folder: string,
  entries: ReadonlyArray<string>,
  self: number
): Promise<FolderExposed | undefined> => {
  const results = await Promise.all(entries.map((entry) => protectTree(join(folder, entry), self)))
  return results.find((refused) => refused !== undefined)
}

/**
 * Creates the data folder with mode 0700, whatever the umask. If it exists, removes the permissions of other users from
 * it and from the database in it. Returns an error if an entry belongs to another user, or if every user can write to
 * the folder.
 */
export const protectDataFolder = async (folder: string, self = currentUser): Promise<FolderExposed | undefined> => {
  const isNew = await makeFolder(folder)
  if (self === undefined) return undefined
  // Unlike `lstat`, follows a symbolic link to the folder.
  const { mode, uid } = await stat(folder)
  if (uid !== self) return ownedByOther(folder, uid, self)
  if (!isNew && (mode & 0o002) !== 0) {
    return new FolderExposed({
      path: folder,
      reason:
        `every user of this machine can write to ${folder}. If nobody has changed its files, run: chmod 700 ${folder}`
    })
  }
  await chmod(folder, 0o700)
  const entries = await readdir(folder)
  return protectAll(folder, entries.filter((entry) => ownEntries.has(entry)), self)
}
