import { type ClockReading, clockSkewMs, isClockRight, monotonicMillis } from "@lastro/domain/values"
import { Cause, Effect, Exit } from "effect"
import { type SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { diskSpaceOf } from "../database/client/DiskSpace.ts"
import { programVersion } from "../migrations/migrate.ts"
import { isCompatible, type StoredSchema } from "../migrations/storedSchema.ts"

/**
 * If no poll has succeeded for this time, the node counts as unable to work. It is longer than the timeout of a
 * statement plus the pause between two polls.
 */
const longestSilenceMs = 7_000

/** The largest clock difference that is stored in the list of nodes: 24 days. A larger one is stored as 24 days. */
const maxStoredSkewMs = 24 * 86_400_000

/** The health of a node. The worker updates it; the readiness check reads it. */
export interface NodeHealth {
  /** Records a successful poll: the database answered and accepted a write. `reading` has the time of the database. */
  readonly pollSucceeded: (reading: ClockReading) => Effect.Effect<void>
  /**
   * Records the schema version of the database. Logs if the schema becomes compatible or incompatible with this
   * program.
   */
  readonly schemaRead: (schema: StoredSchema) => Effect.Effect<void>
  /** Records a failed poll for due jobs. Logs only the first failure of an outage. */
  readonly pollFailed: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
  /** Milliseconds by which the clock of this node is ahead of that of the database. Negative if it is behind. */
  readonly skewMs: () => number
  /**
   * False if the clock of this node differs too much from that of the database (rule JOB-03), or has not been compared
   * yet.
   */
  readonly isClockRight: () => boolean
  /** False if another node has migrated the schema to a version that this program does not support. */
  readonly isSchemaCompatible: () => boolean
  /** The schema version of the database. Undefined before the first read. */
  readonly schemaVersion: () => number | undefined
  /** While the disk of the database is full, tries a large write. If it succeeds, the node is ready again. */
  readonly checkDisk: (tryDisk: Effect.Effect<void, Cause.TimeoutError | SqlError>) => Effect.Effect<void>
  /** Records that the node is stopping. */
  readonly stop: () => void
  /** The reason why this node cannot work. Null if it can. */
  readonly problem: Effect.Effect<string | null>
}

/** The log messages of a node that runs jobs (`worker`), and of a process that only starts them (`starter`). */
const messages = {
  worker: {
    recovered: "the database answers again; running durable jobs",
    clockWrong: "the clock of this node differs from the clock of the database; not ready, and running no jobs",
    clockRight: "the clock of this node is right again; running durable jobs",
    schemaSupported: "the schema is compatible with this program again; running durable jobs",
    schemaRefused:
      "the schema was migrated to a version that this program does not support; refusing requests, and running no jobs",
    failed: "polling for durable jobs failed; retrying every second"
  },
  starter: {
    recovered: "the database answers again",
    clockWrong: "the clock of this process differs from the clock of the database; not ready",
    clockRight: "the clock of this process is right again",
    schemaSupported: "the schema is compatible with this program again",
    schemaRefused: "the schema was migrated to a version that this program does not support; refusing requests",
    failed: "renewing the entry in the list of nodes failed; retrying every 2 s"
  }
} as const

type Texts = typeof messages[keyof typeof messages]

/** Records the last successful poll, and logs the first failure of an outage and its end. */
const trackPolls = (texts: Texts) => {
  let succeededAt: number | undefined
  let isFailing = false
  return {
    succeededAt: () => succeededAt,
    succeeded: Effect.flatMap(monotonicMillis, (now) => {
      succeededAt = now
      if (!isFailing) return Effect.void
      isFailing = false
      return Effect.logInfo(texts.recovered)
    }),
    failed: (cause: Cause.Cause<unknown>) =>
      Effect.suspend(() => {
        if (isFailing) return Effect.void
        isFailing = true
        return Effect.logWarning(texts.failed, cause)
      })
  }
}

/** Records the difference between the clocks of the node and the database. Logs if it becomes too large, or right. */
const trackClock = (texts: Texts) => {
  let skewMs: number | undefined
  return {
    skewMs: () => skewMs,
    compared: (reading: ClockReading) =>
      Effect.suspend(() => {
        const wasWrong = skewMs !== undefined && !isClockRight(skewMs)
        skewMs = clockSkewMs(reading)
        const isWrong = !isClockRight(skewMs)
        if (isWrong === wasWrong) return Effect.void
        return isWrong
          ? Effect.annotateLogs(Effect.logError(texts.clockWrong), { clock_ahead_ms: Math.round(skewMs) })
          : Effect.logInfo(texts.clockRight)
      })
  }
}

/** Records the schema version of the database. Logs if the schema becomes compatible or incompatible. */
const trackSchema = (texts: Texts) => {
  let version: number | undefined
  let incompatibleSchema: StoredSchema | undefined
  return {
    version: () => version,
    incompatibleSchema: () => incompatibleSchema,
    read: (schema: StoredSchema) =>
      Effect.suspend(() => {
        version = schema.version
        const wasIncompatible = incompatibleSchema !== undefined
        incompatibleSchema = isCompatible(schema, programVersion) ? undefined : schema
        if (wasIncompatible === (incompatibleSchema !== undefined)) return Effect.void
        return incompatibleSchema === undefined
          ? Effect.logInfo(texts.schemaSupported)
          : Effect.annotateLogs(
            Effect.logError(texts.schemaRefused),
            { schema_version: schema.version, program_version: programVersion }
          )
      })
  }
}

/** Records whether a statement of a client failed because the disk of the database is full. */
const trackDisk = (clients: ReadonlyArray<SqlClient>) => {
  const disks = clients.map(diskSpaceOf)
  const isFull = () => disks.some((disk) => disk.isFull)
  let isReported = false
  return {
    isFull,
    failed: (cause: Cause.Cause<unknown>): void => {
      const error = Cause.squash(cause)
      if (isSqlError(error)) { for (const disk of disks) disk.note(error) }
    },
    check: Effect.fnUntraced(function*(tryDisk: Effect.Effect<void, Cause.TimeoutError | SqlError>) {
      if (!isFull()) return
      if (!isReported) yield* Effect.logError("the disk of the database is full; not ready")
      isReported = true
      if (Exit.isFailure(yield* Effect.exit(tryDisk))) return
      for (const disk of disks) disk.isFull = false
      isReported = false
      yield* Effect.logInfo("the disk of the database has space again")
    })
  }
}

/**
 * Creates the health of a node that has not reached the database yet. A starter starts jobs but runs none. The node is
 * not ready while a statement of one of its `clients`, or a poll, fails because the disk is full.
 */
export const makeNodeHealth = (
  role: keyof typeof messages = "worker",
  clients: ReadonlyArray<SqlClient> = []
): NodeHealth => {
  const texts = messages[role]
  const polls = trackPolls(texts)
  const clock = trackClock(texts)
  const schema = trackSchema(texts)
  const disk = trackDisk(clients)
  let stopping = false
  return {
    pollSucceeded: (reading) => Effect.andThen(polls.succeeded, clock.compared(reading)),
    schemaRead: schema.read,
    pollFailed: (cause) =>
      Effect.suspend(() => {
        disk.failed(cause)
        return polls.failed(cause)
      }),
    skewMs: () => Math.round(Math.min(Math.max(clock.skewMs() ?? 0, -maxStoredSkewMs), maxStoredSkewMs)),
    isClockRight: () => {
      const skewMs = clock.skewMs()
      return skewMs !== undefined && isClockRight(skewMs)
    },
    isSchemaCompatible: () => schema.incompatibleSchema() === undefined,
    schemaVersion: schema.version,
    checkDisk: disk.check,
    stop: () => {
      stopping = true
    },
    problem: Effect.map(monotonicMillis, (now) => {
      if (stopping) return "the node is stopping"
      const succeededAt = polls.succeededAt()
      const skewMs = clock.skewMs()
      const incompatibleSchema = schema.incompatibleSchema()
      if (succeededAt === undefined || skewMs === undefined) return "the node has not reached the database yet"
      if (incompatibleSchema !== undefined) {
        return `the schema has the version ${incompatibleSchema.version}, which this program with the schema version ${programVersion} does not support`
      }
      const silent_ms = now - succeededAt
      if (disk.isFull()) return "the disk of the database is full"
      if (silent_ms > longestSilenceMs) {
        return `the database has accepted no write of this node for ${Math.round(silent_ms / 1_000)} s`
      }
      if (isClockRight(skewMs)) return null
      const side = skewMs > 0 ? "ahead of" : "behind"
      return `the clock of this node is ${Math.abs(Math.round(skewMs / 1_000))} s ${side} the clock of the database`
    })
  }
}
