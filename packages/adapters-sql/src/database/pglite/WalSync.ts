import fs from "node:fs"
import { promisify } from "node:util"

const fdatasync = promisify(fs.fdatasync)

/**
 * Syncs the write-ahead log (WAL) of an embedded database to disk, with group commit.
 *
 * PostgreSQL requests a sync of a WAL file at every commit. The request only marks the file, and {@link settle} syncs
 * the marked files outside of the JavaScript thread. One sync covers all commits that were marked before it started.
 *
 * PostgreSQL assumes that a requested sync has finished. Two rules ensure that no client and no file on disk
 * contradicts this assumption:
 *
 * - No response is sent to a client before `settle` resolves.
 * - Nothing outside of the WAL changes in the data folder before {@link settleNow} returns.
 *
 * After a failed sync it is unknown which data is on disk. Every later call fails, and a new start recovers the data.
 */
export class WalSync {
  /** Descriptors of the marked files by path. */
  #marked = new Map<string, number>()
  /** Descriptors of the files whose sync is in progress. */
  #syncing: ReadonlyArray<number> = []
  #round: Promise<void> | undefined
  #marks = 0
  #settledMarks = 0
  #failure: { readonly cause: unknown } | undefined

  /** Number of marks so far. If an operation increases this number, it has marked a file. */
  get marks(): number {
    return this.#marks
  }

  /** Marks a WAL file. Everything written to it so far is on disk after the next settle. */
  mark(file: string): void {
    this.#marks++
    // Open a descriptor for this class, because PostgreSQL may close its own descriptor before the sync starts.
    if (!this.#marked.has(file)) this.#marked.set(file, fs.openSync(file, "r+"))
  }

  /** Resolves when every mark so far is on disk. */
  settle(): Promise<void> {
    return this.#settleUpTo(this.#marks)
  }

  /** Returns when every mark so far is on disk. Blocks the JavaScript thread. */
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

  /** Closes the descriptors after the database has been closed. */
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
