import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import { Schema } from "effect"
import { addSyncs, type Nodefs } from "./durableNodefs.ts"
import { WalSync } from "./WalSync.ts"

/** The database in a data folder does not start, for example because a file is missing or damaged. */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>()("FolderUnusable", {
  folder: Schema.String,
  /** The error that PostgreSQL reported. */
  reason: Schema.String
}) {
  override get message(): string {
    return `The embedded database in ${this.folder} does not start (${this.reason}); ` +
      "if its files are damaged, move this folder away and put a backup of it in its place."
  }
}

/** An open data folder. */
export interface PgliteFolder {
  readonly pglite: PGlite
  readonly wal: WalSync
  /** Returns the number of bytes written to the WAL since the start. */
  readonly walBytes: () => number
}

const noBytes = (): number => 0

/** Returns the text of an error in PostgreSQL's log that ends the process, or undefined. */
const fatalError = (line: string): string | undefined => /(?:FATAL|PANIC): +(.+)/.exec(line)?.[1]

/**
 * Opens an existing database in a folder. Every sync that PostgreSQL requests reaches the disk; {@link WalSync} delays
 * those of the write-ahead log. Fails with {@link FolderUnusable}.
 */
export const openPgliteFolder = async (
  folder: string,
  options: Pick<PGliteOptions, "extensions">
): Promise<PgliteFolder> => {
  const [{ PGlite }, { NodeFS }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/nodefs")
  ])
  const wal = new WalSync()
  let walBytes = noBytes
  let reason: string | undefined
  const addSyncsFirst = (module: { readonly NODEFS: Nodefs }): void => {
    walBytes = addSyncs(module.NODEFS, wal)
  }
  const printErr = (line: string): void => {
    reason ??= fatalError(line)
  }

  class DurableNodeFS extends NodeFS {
    override async init(...[pglite, given]: Parameters<InstanceType<typeof NodeFS>["init"]>) {
      const { emscriptenOpts } = await super.init(pglite, given)
      return {
        emscriptenOpts: { ...emscriptenOpts, printErr, preRun: [addSyncsFirst, ...emscriptenOpts.preRun ?? []] }
      }
    }
  }

  try {
    const pglite = await PGlite.create({
      ...options,
      fs: new DurableNodeFS(folder),
      startParams: withSmallBuffers(withSyncs(PGlite.defaultStartParams))
    })
    return { pglite, wal, walBytes: () => walBytes() }
  } catch (cause) {
    await wal.close()
    throw new FolderUnusable({ folder, reason: reason ?? String(cause) })
  }
}

/**
 * Returns PGlite's start parameters with smaller buffers. By default, PGlite allocates 128 MiB in this process at the
 * start. The cache of the operating system serves the pages that do not fit into the smaller buffers.
 */
export const withSmallBuffers = (parameters: ReadonlyArray<string>): Array<string> => [
  ...parameters,
  "-c",
  "shared_buffers=32MB"
]

/**
 * Returns PGlite's start parameters with `fsync`. By default, PGlite starts PostgreSQL with `-F`, which turns it off.
 */
const withSyncs = (parameters: ReadonlyArray<string>): Array<string> => [
  ...parameters.filter((parameter) => parameter !== "-F"),
  "-c",
  "fsync=on",
  "-c",
  "full_page_writes=on",
  // The default method, fdatasync, does not reach NODEFS.
  "-c",
  "wal_sync_method=fsync"
]
