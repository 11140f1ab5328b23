/**
 * Returns PGlite's start parameters with smaller buffers. By default, PGlite allocates 128 MiB in this process at the
 * start. The cache of the operating system serves the pages that do not fit into the smaller buffers.
 */
export const withSmallBuffers = (parameters: ReadonlyArray<string>): Array<string> => [
  ...parameters,
  "-c",
  "shared_buffers=32MB"
]

/** Returns PGlite's start parameters with syncs. By default, PGlite starts PostgreSQL with the option `-F`: no syncs. */
export const withSyncs = (parameters: ReadonlyArray<string>): Array<string> => [
  ...parameters.filter((parameter) => parameter !== "-F"),
  "-c",
  "fsync=on",
  "-c",
  "full_page_writes=on",
  // The default method, fdatasync, does not reach NODEFS.
  "-c",
  "wal_sync_method=fsync"
]
