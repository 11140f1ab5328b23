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
  /** Returns the number of bytes written to the write-ahead log (WAL) since the start. */
  readonly walBytes: () => number
}

const noBytes = (): number => 0

/** Returns the text of a fatal error in a line of PostgreSQL's log. Undefined for any other line. */
const fatalError = (line: string): string | undefined => /(?:FATAL|PANIC): +(.+)/.exec(line)?.[1]

/**
 * Opens an existing database in a folder. Every sync that PostgreSQL requests reaches the disk. {@link WalSync} delays
 * the syncs of the write-ahead log. Fails with {@link FolderUnusable}.
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
 * Returns PGlite's start parameters with smaller buffers. By default, PGlite allocates 128 MiB of this process at the
 * start. Pages that do not fit stay in the cache of the operating system.
 */
export const withSmallBuffers = (parameters: ReadonlyArray<string>): Array<string> => [
  ...parameters,
  "-c",
  "shared_buffers=32MB"
]

/** Returns PGlite's start parameters with `fsync` turned on. By default, PGlite turns it off with `-F`. */
const withSyncs = (parameters: ReadonlyArray<string>): Array<string> => [
  ...parameters.filter((parameter) => parameter !== "-F"),
  "-c",
  "fsync=on",
  "-c",
  "full_page_writes=on",
  // The default method, fdatasync, never reaches NODEFS.
  "-c",
  "wal_sync_method=fsync"
]
