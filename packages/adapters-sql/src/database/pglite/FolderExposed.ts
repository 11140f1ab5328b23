import { Schema } from "effect"
import { constants } from "node:fs"
import { lstat, open, readdir, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "./syncPath.ts"

/** Other users of the machine own the data folder, or can change it. */
export class FolderExposed extends Schema.TaggedError<FolderExposed>()("FolderExposed", {
  path: Schema.String,
  /** A sentence with the reason and the remedy. */
  reason: Schema.String
}) {
  override get message(): string {
    return `The data folder is refused: ${this.reason}`
  }
}

/** The permission bits of the group and of others. */
const sharedBits = 0o077

/** Removes the permission bits of the group and of others. */
export const withoutSharedBits = (mode: number): number => mode & ~sharedBits

const ownedByOther = (path: string, owner: number, self: number) =>
  new FolderExposed({
    path,
    reason:
      `${path} belongs to user ${owner}, but this process runs as user ${self}. Run it as user ${owner}, or give the ` +
      `folder and its files to user ${self}.`
  })

/** The entries of the data folder that Lastro writes. Other files keep their permissions. */
const ownEntries: ReadonlySet<string> = new Set(["database", "lock"])

/** The id of the user that runs this process. Undefined on Windows, which has no such permissions. */
const currentUser = process.getuid?.()

const linkToOther = (path: string, owner: number, self: number) =>
  new FolderExposed({
    path,
    reason:
      `${path} is a symbolic link that user ${owner} owns or to a place of user ${owner}, but this process runs as user ` +
      `${self}. Remove the link, and name the data folder itself.`
  })

/** Returns an error if a symbolic link or its target belongs to another user. A missing target is not an error here. */
const checkLink = async (path: string, self: number): Promise<FolderExposed | undefined> => {
  const link = await lstat(path)
  if (!link.isSymbolicLink()) return undefined
  const target = await stat(path).catch(() => undefined)
  const owner = [link, target].find((stats) => stats !== undefined && stats.uid !== self)?.uid
  return owner === undefined ? undefined : linkToOther(path, owner, self)
}

/**
 * Changes the permissions of a file or folder. Fails if the path has become a symbolic link. So no other user can
 * redirect the change to another file.
 */
const changeMode = async (path: string, mode: number): Promise<void> => {
  const opened = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  await opened.chmod(mode).finally(() => opened.close())
}

/**
 * Removes the permissions of other users from a file, or from a folder and its content. Returns an error if an entry
 * belongs to another user, because only the owner can change permissions. Does not follow or change symbolic links.
 */
export const protectTree = async (path: string, self = currentUser): Promise<FolderExposed | undefined> => {
  if (self === undefined) return undefined
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) return undefined
  if (stats.uid !== self) return ownedByOther(path, stats.uid, self)
  if ((stats.mode & sharedBits) !== 0) await changeMode(path, withoutSharedBits(stats.mode & 0o777))
  return stats.isDirectory() ? findRefused(path, await readdir(path), (entry) => protectTree(entry, self)) : undefined
}

/** Runs a check for each of these entries of a folder. Returns the first error. */
const findRefused = async (
  folder: string,
  entries: ReadonlyArray<string>,
  check: (path: string) => Promise<FolderExposed | undefined>
): Promise<FolderExposed | undefined> => {
  const results = await Promise.all(entries.map((entry) => check(join(folder, entry))))
  return results.find((refused) => refused !== undefined)
}

/**
 * Creates the data folder with mode 0700, regardless of the umask. If it exists, removes the permissions of other users
 * from it and from the database in it. Follows no link while it changes permissions, except a link of this user to the
 * data folder.
 *
 * Returns an error in three cases: an entry belongs to another user, a link leads to a path of another user, or every
 * user can write to the folder.
 */
export const protectDataFolder = async (path: string, self = currentUser): Promise<FolderExposed | undefined> => {
  const isNew = await makeFolder(path)
  if (self === undefined) return undefined
  const refused = await checkLink(path, self)
  if (refused !== undefined) return refused
  const folder = await realpath(path)
  const { mode, uid } = await lstat(folder)
  if (uid !== self) return ownedByOther(path, uid, self)
  if (!isNew && (mode & 0o002) !== 0) {
    return new FolderExposed({
      path,
      reason: `every user of this machine can write to ${path}. If nobody has changed its files, run: chmod 700 ${path}`
    })
  }
  await changeMode(folder, 0o700)
  const entries = (await readdir(folder)).filter((entry) => ownEntries.has(entry))
  return await findRefused(folder, entries, (entry) => checkLink(entry, self)) ??
    findRefused(folder, entries, (entry) => protectTree(entry, self))
}
