/**
 * Returns PGlite's start parameters with smaller buffers. PGlite's own 128 MiB are part of the memory of this process from the start.
 * Pages that the buffers do not hold are read from the cache of the operating system.
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
  // The default, fdatasync, does not reach NODEFS.
  "-c",
  "wal_sync_method=fsync"
]
