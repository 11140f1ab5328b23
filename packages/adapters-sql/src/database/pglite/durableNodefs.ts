import fs from "node:fs"
import { basename, dirname } from "node:path"
import { withoutSharedBits } from "./FolderExposed.ts"
import { syncFolderNow } from "./syncPath.ts"
import { type WalSync } from "./WalSync.ts"

/** A file or folder in Emscripten's file system. */
interface FileNode {
  readonly name: string
}

interface OpenFile {
  readonly node: FileNode
  /** The file descriptor in Node.js. */
  readonly nfd: number
}

/** The file attributes that an operation changes. */
interface Attributes {
  readonly mode?: number | undefined
}

/**
 * The operations of Emscripten's NODEFS that change files:
 * https://emscripten.org/docs/api_reference/Filesystem-API.html.
 */
export interface Nodefs {
  readonly realPath: (node: FileNode) => string
  /** Runs an operation. Converts its failure to an error that PostgreSQL receives as `errno`. */
  readonly tryFSOperation: <A>(operation: () => A) => A
  readonly node_ops: {
    setattr: (node: FileNode, attributes: Attributes) => void
    mknod: (folder: FileNode, name: string, mode: number, device: number) => FileNode
    rename: (node: FileNode, folder: FileNode, name: string) => void
    unlink: (folder: FileNode, name: string) => void
    rmdir: (folder: FileNode, name: string) => void
    symlink: (folder: FileNode, name: string, target: string) => void
  }
  readonly stream_ops: {
    setattr: (file: OpenFile, attributes: Attributes) => void
    write: (file: OpenFile, bytes: Uint8Array, from: number, length: number, position: number) => number
    fsync?: (file: OpenFile) => number
  }
}

/** Returns whether a path is a WAL file: 24 hexadecimal digits in the folder `pg_wal`. */
const isWal = (path: string): boolean => basename(dirname(path)) === "pg_wal" && /^[\dA-F]{24}$/.test(basename(path))

const withPrivateMode = (attributes: Attributes): Attributes =>
  attributes.mode === undefined ? attributes : { ...attributes, mode: withoutSharedBits(attributes.mode) }

/**
 * Adds syncs and private permissions to NODEFS, the file system through which PGlite stores a folder. Unmodified,
 * NODEFS ignores every sync that PostgreSQL requests.
 * - A sync of a WAL file only marks the file in `wal`. All marked files are synced before anything else changes.
 * - A sync of any other file or folder runs at once.
 * - New files and folders have no permissions for the group and for others, regardless of the umask.
 * - The first sync of a file after its creation or renaming also syncs its folder, which contains the file's name.
 *
 * Returns a function that returns the number of bytes written to the WAL so far.
 */
export const addSyncs = (nodefs: Nodefs, wal: WalSync): () => number => {
  const { node_ops: nodes, realPath, stream_ops: files, tryFSOperation } = nodefs
  const { mknod, rename, rmdir, setattr, symlink, unlink } = nodes
  const { setattr: setAttributes, write } = files
  const newNames = new Set<string>()
  let walBytes = 0

  const settle = (): void => tryFSOperation(() => wal.settleNow())

  nodes.setattr = (node, attributes) => {
    settle()
    setattr(node, withPrivateMode(attributes))
  }
  nodes.mknod = (folder, name, mode, device) => {
    settle()
    const node = mknod(folder, name, withoutSharedBits(mode), device)
    newNames.add(realPath(node))
    return node
  }
  nodes.rename = (node, folder, name) => {
    settle()
    newNames.delete(realPath(node))
    rename(node, folder, name)
    newNames.add(`${realPath(folder)}/${name}`)
  }
  nodes.unlink = (folder, name) => {
    settle()
    unlink(folder, name)
    newNames.delete(`${realPath(folder)}/${name}`)
  }
  nodes.rmdir = (folder, name) => {
    settle()
    rmdir(folder, name)
    newNames.delete(`${realPath(folder)}/${name}`)
  }
  nodes.symlink = (folder, name, target) => {
    settle()
    symlink(folder, name, target)
  }
  files.setattr = (file, attributes) => {
    settle()
    setAttributes(file, withPrivateMode(attributes))
  }
  files.write = (file, bytes, from, length, position) => {
    if (isWal(realPath(file.node))) walBytes += length
    else settle()
    return write(file, bytes, from, length, position)
  }
  files.fsync = (file) => {
    const path = realPath(file.node)
    tryFSOperation(() => {
      if (isWal(path)) wal.mark(path)
      else fs.fsyncSync(file.nfd)
      if (newNames.delete(path)) syncFolderNow(dirname(path))
    })
    return 0
  }
  return () => walBytes
}
