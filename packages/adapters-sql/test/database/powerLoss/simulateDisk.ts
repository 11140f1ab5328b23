import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { type Chooser, SimulatedFile, SimulatedFolder, writeAfterPowerLoss } from "./SimulatedDisk.ts"

const real = { ...fs, promises: { ...fs.promises } }

type Callback = (error: NodeJS.ErrnoException | null, result?: unknown) => void

interface Simulation {
  /** Duration of a sync outside of the JavaScript thread, in milliseconds. */
  readonly syncMs: number
  /** Called after each change of a file, of a name, and after each sync. */
  readonly onChange: () => void
  /** Called after each sync of a file or folder. */
  readonly onSync: (path: string) => void
}

/** The disk under a folder, as it would be after a power failure. */
export interface SimulatedDisk {
  /** Number of syncs of files whose path contains a text. */
  readonly countSyncs: (text: string) => number
  /** Writes the tree that a power failure would leave now. `choose` decides which changes that were not synced are kept. */
  readonly writeImage: (to: string, choose: Chooser) => void
}

/**
 * Replaces the functions of `node:fs` that PGlite and its adapter use, and records which changes under an empty folder are
 * on disk. Call it before the adapter is imported. The files are also written as usual.
 */
export const simulateDisk = (root: string, { onChange, onSync, syncMs }: Simulation): SimulatedDisk => {
  const disk = new SimulatedFolder()
  const opened = new Map<number, { readonly path: string; readonly entry: SimulatedFile | SimulatedFolder }>()
  const synced: Array<string> = []
  let order = 0

  const isInside = (path: unknown): boolean => typeof path === "string" && !relative(root, path).startsWith("..")
  const find = (path: string): SimulatedFile | SimulatedFolder | undefined => {
    let entry: SimulatedFile | SimulatedFolder | undefined = disk
    for (const name of relative(root, path).split("/").filter((part) => part !== "")) {
      entry = entry instanceof SimulatedFolder ? entry.current.get(name) : undefined
    }
    return entry
  }
  const folderOf = (path: string): SimulatedFolder => {
    const folder = find(dirname(path))
    if (!(folder instanceof SimulatedFolder)) throw new Error(`The simulated disk has no folder for ${path}`)
    return folder
  }
  const fileAt = (path: string): SimulatedFile => {
    const file = find(path)
    if (!(file instanceof SimulatedFile)) throw new Error(`The simulated disk has no file ${path}`)
    return file
  }
  const add = (path: string, entry: SimulatedFile | SimulatedFolder): void => {
    if (!isInside(path)) return
    folderOf(path).change({ order: ++order, removed: [], added: [[basename(path), entry]] })
    onChange()
  }
  const remove = (path: string): void => {
    if (!isInside(path)) return
    folderOf(path).change({ order: ++order, removed: [basename(path)], added: [] })
    onChange()
  }
  const move = (from: string, to: string): void => {
    if (!isInside(from)) return
    const entry = find(from)
    const [source, target] = [folderOf(from), folderOf(to)]
    if (entry === undefined || source !== target) throw new Error(`The simulated disk cannot rename ${from}`)
    source.change({ order: ++order, removed: [basename(from)], added: [[basename(to), entry]] })
    onChange()
  }
  const sync = (descriptor: number, upTo: number): void => {
    const file = opened.get(descriptor)
    if (file === undefined) return
    file.entry.sync(upTo)
    synced.push(file.path)
    onChange()
    onSync(file.path)
  }
  const opening = (path: string, flags: string | number | undefined, descriptor: number): number => {
    if (!isInside(path) || typeof flags === "string" && flags.startsWith("w")) return descriptor
    const entry = find(path)
    if (entry === undefined) throw new Error(`The simulated disk has no ${path}`)
    opened.set(descriptor, { path, entry })
    return descriptor
  }
  /** Delays a sync, and records its end. Only changes made before its start are on disk. */
  const delayed = (syncFile: (descriptor: number, done: Callback) => void) => (descriptor: number, done: Callback) => {
    const upTo = order
    setTimeout(() =>
      syncFile(descriptor, (error) => {
        if (error === null) sync(descriptor, upTo)
        done(error)
      }), syncMs)
  }

  Object.assign(fs, {
    openSync: (path: string, flags?: string | number, mode?: number) =>
      opening(path, flags, real.openSync(path, flags ?? "r", mode)),
    open: (path: string, flags: string, ...rest: ReadonlyArray<number | Callback>) => {
      const done = rest.find((one) => typeof one === "function")
      real.open(
        path,
        flags,
        (error, descriptor) => done?.(error, error === null ? opening(path, flags, descriptor) : undefined)
      )
    },
    closeSync: (descriptor: number) => {
      opened.delete(descriptor)
      real.closeSync(descriptor)
    },
    close: (descriptor: number, done: Callback) => {
      opened.delete(descriptor)
      real.close(descriptor, done)
    },
    writeSync: (descriptor: number, bytes: Uint8Array, from: number, length: number, position: number) => {
      const written = real.writeSync(descriptor, bytes, from, length, position)
      const file = opened.get(descriptor)?.entry
      if (file instanceof SimulatedFile) {
        file.write(++order, position, bytes.subarray(from, from + written))
        onChange()
      }
      return written
    },
    writeFileSync: (path: string, content: string, options: fs.WriteFileOptions) => {
      real.writeFileSync(path, content, options)
      add(path, new SimulatedFile())
    },
    mkdirSync: (path: string, mode: number) => {
      real.mkdirSync(path, mode)
      add(path, new SimulatedFolder())
    },
    renameSync: (from: string, to: string) => {
      real.renameSync(from, to)
      move(from, to)
    },
    unlinkSync: (path: string) => {
      real.unlinkSync(path)
      remove(path)
    },
    rmdirSync: (path: string) => {
      real.rmdirSync(path)
      remove(path)
    },
    truncateSync: (path: string, size: number) => {
      real.truncateSync(path, size)
      if (isInside(path)) fileAt(path).resize(++order, size)
      onChange()
    },
    ftruncateSync: (descriptor: number, size: number) => {
      real.ftruncateSync(descriptor, size)
      const file = opened.get(descriptor)?.entry
      if (file instanceof SimulatedFile) file.resize(++order, size)
      onChange()
    },
    fsyncSync: (descriptor: number) => {
      real.fsyncSync(descriptor)
      sync(descriptor, order)
    },
    fdatasyncSync: (descriptor: number) => {
      real.fdatasyncSync(descriptor)
      sync(descriptor, order)
    },
    fsync: delayed(real.fsync),
    fdatasync: delayed(real.fdatasync)
  })
  Object.assign(fs.promises, {
    mkdir: async (path: string) => {
      await real.promises.mkdir(path)
      add(path, new SimulatedFolder())
    },
    rename: async (from: string, to: string) => {
      await real.promises.rename(from, to)
      move(from, to)
    }
  })
  syncBuiltinESMExports()

  const write = {
    folder: (path: string) => void real.mkdirSync(path, { recursive: true }),
    file: (path: string, content: Buffer) => real.writeFileSync(path, content)
  }
  return {
    countSyncs: (text) => synced.filter((path) => path.includes(text)).length,
    writeImage: (to, choose) => writeAfterPowerLoss(disk, join(to), choose, write)
  }
}
