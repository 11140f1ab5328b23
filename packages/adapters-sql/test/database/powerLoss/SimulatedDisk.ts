import { join } from "node:path"

/** Part of a write that a power failure cannot split. */
const sectorBytes = 512

/** Decides whether a change that was not synced reaches the disk. */
export type Chooser = () => boolean

interface Write {
  readonly order: number
  readonly position: number
  readonly bytes: Buffer
}

interface Resize {
  readonly order: number
  readonly size: number
}

/** A file: its content on disk, and the later changes in the cache of the operating system. */
export class SimulatedFile {
  #onDisk: Buffer = Buffer.alloc(0)
  #cached: Array<Write | Resize> = []

  write(order: number, position: number, bytes: Uint8Array): void {
    this.#cached.push({ order, position, bytes: Buffer.from(bytes) })
  }

  resize(order: number, size: number): void {
    this.#cached.push({ order, size })
  }

  /** Moves the changes up to `order` to the disk. */
  sync(order: number): void {
    this.#onDisk = this.#apply((change) => change.order <= order, () => true)
    this.#cached = this.#cached.filter((change) => change.order > order)
  }

  /** The content after a power failure: any part of the cached changes is lost, and a write may be torn. */
  afterPowerLoss(choose: Chooser): Buffer {
    return this.#apply(() => true, choose)
  }

  #apply(included: (change: Write | Resize) => boolean, choose: Chooser): Buffer {
    const changes = this.#cached.filter(included)
    if (changes.length === 0) return this.#onDisk
    const capacity = Math.max(
      this.#onDisk.length,
      ...changes.map((change) => "size" in change ? change.size : change.position + change.bytes.length)
    )
    const content = Buffer.alloc(capacity)
    this.#onDisk.copy(content)
    let size = this.#onDisk.length
    for (const change of changes) {
      if ("size" in change) {
        if (!choose()) continue
        if (change.size < size) content.fill(0, change.size, size)
        size = change.size
        continue
      }
      for (let at = 0; at < change.bytes.length; at += sectorBytes) {
        if (!choose()) continue
        const sector = change.bytes.subarray(at, at + sectorBytes)
        sector.copy(content, change.position + at)
        size = Math.max(size, change.position + at + sector.length)
      }
    }
    return content.subarray(0, size)
  }
}

type Entry = SimulatedFile | SimulatedFolder

interface NameChange {
  readonly order: number
  readonly removed: ReadonlyArray<string>
  readonly added: ReadonlyArray<readonly [string, Entry]>
}

/** A folder: its names on disk, the current names, and the changes that only the operating system has. */
export class SimulatedFolder {
  readonly current = new Map<string, Entry>()
  #onDisk = new Map<string, Entry>()
  #cached: Array<NameChange> = []

  change(change: NameChange): void {
    applyNames(this.current, change)
    this.#cached.push(change)
  }

  sync(order: number): void {
    for (const change of this.#cached) if (change.order <= order) applyNames(this.#onDisk, change)
    this.#cached = this.#cached.filter((change) => change.order > order)
  }

  /**
   * The names after a power failure. The changes of names that were not synced reach the disk in their order, up to some
   * point, because file systems write them to a journal.
   */
  afterPowerLoss(choose: Chooser): ReadonlyMap<string, Entry> {
    const names = new Map(this.#onDisk)
    for (const change of this.#cached) {
      if (!choose()) break
      applyNames(names, change)
    }
    return names
  }
}

const applyNames = (names: Map<string, Entry>, { added, removed }: NameChange): void => {
  for (const name of removed) names.delete(name)
  for (const [name, entry] of added) names.set(name, entry)
}

/** Writes the tree of a folder after a power failure, with the given functions of the real file system. */
export const writeAfterPowerLoss = (
  folder: SimulatedFolder,
  to: string,
  choose: Chooser,
  write: { readonly folder: (path: string) => void; readonly file: (path: string, content: Buffer) => void }
): void => {
  write.folder(to)
  for (const [name, entry] of folder.afterPowerLoss(choose)) {
    const path = join(to, name)
    if (entry instanceof SimulatedFile) write.file(path, entry.afterPowerLoss(choose))
    else writeAfterPowerLoss(entry, path, choose, write)
  }
}
