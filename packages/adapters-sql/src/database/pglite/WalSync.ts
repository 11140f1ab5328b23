import fs from "node:fs"
import { promisify } from "node:util"

const fdatasync = promisify(fs.fdatasync)

/**
 * Syncs the write-ahead log (WAL) of an embedded database to disk, with group commit.
 *
 * PostgreSQL requests a sync of a WAL file at every commit. The request only marks the file. {@link settle} then syncs
 * the marked files, without blocking the JavaScript thread. One sync covers all commits that were marked before it
 * started.
 *
 * PostgreSQL assumes that a requested sync has finished. Two rules keep this assumption true for clients and files:
 * - No response is sent to a client before `settle` resolves.
 * - Nothing in the data folder outside of the WAL changes before {@link settleNow} returns.
 *
 * After a failed sync, it is unknown which data is on disk. So every later call fails, and the next start recovers the
 * data.
 */
export class WalSync {
  /** File descriptors of the marked files, by path. */
  #marked = new Map<string, number>()
  /** File descriptors of the files that are being synced. */
  #syncing: ReadonlyArray<number> = []
  #round: Promise<void> | undefined
  #marks = 0
  #settledMarks = 0
  #failure: { readonly cause: unknown } | undefined

  /** Number of marks so far. An operation that increases it has marked a file. */
  get marks(): number {
    return this.#marks
  }

  /** Marks a WAL file. Its current content is on disk after the next settle. */
  mark(file: string): void {
    this.#marks++
    // This class needs its own descriptor, because PostgreSQL may close its descriptor before the sync starts.
    if (!this.#marked.has(file)) this.#marked.set(file, fs.openSync(file, "r+"))
  }

  /** Resolves when all files marked so far are on disk. */
  settle(): Promise<void> {
    return this.#settleUpTo(this.#marks)
  }

  /** Returns when all files marked so far are on disk. Blocks the JavaScript thread. */
  settleNow(): void {
    this.#throwFailure()
    if (this.#settledMarks === this.#marks) return
    try {
      for (const file of [...this.#syncing, ...this.#marked.values()]) fs.fdatasyncSync(file)
    } catch (cause) {
      throw this.#fail(cause)
    }
    this.#settledMarks = this.#marks
    this.#closeMarked()
  }

  /** Closes the descriptors. Call it after the database was closed. */
  async close(): Promise<void> {
    await this.#round?.catch(() => undefined)
    this.#closeMarked()
  }

  async #settleUpTo(marks: number): Promise<void> {
    this.#throwFailure()
    if (this.#settledMarks >= marks) return
    this.#round ??= this.#syncMarked().finally(() => {
      this.#round = undefined
    })
    await this.#round
    // The round may have begun before the last of these marks.
    return this.#settleUpTo(marks)
  }

  async #syncMarked(): Promise<void> {
    const upTo = this.#marks
    const files = [...this.#marked.values()]
    this.#marked = new Map()
    this.#syncing = files
    try {
      await Promise.all(files.map((file) => fdatasync(file)))
      this.#settledMarks = Math.max(this.#settledMarks, upTo)
    } catch (cause) {
      throw this.#fail(cause)
    } finally {
      this.#syncing = []
      for (const file of files) fs.closeSync(file)
    }
  }

  #closeMarked(): void {
    for (const file of this.#marked.values()) fs.closeSync(file)
    this.#marked.clear()
  }

  #fail(cause: unknown): unknown {
    this.#failure ??= { cause }
    return cause
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.cause
  }
}
