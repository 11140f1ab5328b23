import { type Duration, Effect } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { type SessionAttrs } from "../connection/databaseHosts.ts"
import { queryFirst, type ServerConnection } from "./ServerConnection.ts"

/** The role of a server at the start of a session. */
export interface SessionRole {
  readonly isStandby: boolean
  /** True if the session cannot write, as on a standby. */
  readonly isReadOnly: boolean
  /** The identity of the primary. Undefined if the server is a standby, or does not reveal it. */
  readonly primary: PrimaryIdentity | undefined
}

/** Identifies a primary of a cluster. A cluster is a database with its physical copies. */
export interface PrimaryIdentity {
  /** The system identifier, which all servers of a cluster share. */
  readonly system: string
  /** The timeline. It increases when a standby becomes the primary. */
  readonly timeline: number
  /** The start of the server, in seconds since 1970. */
  readonly started: number
}

/**
 * Returns whether the first identity belongs to an earlier primary of the same cluster, or to an earlier start of the
 * same primary.
 */
export const isEarlier = (a: PrimaryIdentity, b: PrimaryIdentity): boolean =>
  a.system === b.system &&
  (a.timeline < b.timeline || a.timeline === b.timeline && a.started < b.started)

const selectRole = "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only"

/** Fails on servers that are compatible with PostgreSQL but have no write-ahead log of their own, such as Aurora. */
const selectPrimary = `select system_identifier::text as system,
    ('x' || lpad(substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8), 8, '0'))::bit(32)::int as timeline,
    extract(epoch from pg_postmaster_start_time())::float8 as started
  from pg_control_system()`

/** Reads the role of the server. */
export const readRole = Effect.fnUntraced(function*(
  server: ServerConnection,
  timeout: Duration.Duration
): Effect.fn.Return<SessionRole, SqlError> {
  const { rows: [role] } = yield* queryFirst(server, selectRole, [], timeout)
  const isStandby = role?.["standby"] === true
  const isReadOnly = isStandby || role?.["read_only"] === true
  if (isStandby) return { isStandby, isReadOnly, primary: undefined }
  const row = yield* Effect.catch(
    Effect.map(queryFirst(server, selectPrimary, [], timeout), ({ rows: [row] }) => row),
    (error) => server.isClosed ? Effect.fail(error) : Effect.undefined
  )
  const primary = row === undefined
    ? undefined
    : { system: String(row["system"]), timeline: Number(row["timeline"]), started: Number(row["started"]) }
  return { isStandby, isReadOnly, primary }
})

/** Returns an error if a server is not in the state that `target_session_attrs` requires. */
export const refuseRole = (
  attrs: SessionAttrs,
  { isReadOnly, isStandby }: SessionRole,
  address: string
): ConnectionFailed | undefined => {
  const refuse = (text: string) => new ConnectionFailed("session_attrs", `The database at ${address} ${text}`)
  switch (attrs) {
    case "any":
    case "prefer-standby":
      return undefined
    case "read-write":
    case "primary":
      if (isStandby) {
        return new ConnectionFailed(
          "read_only",
          `The database at ${address} is a standby, which accepts no writes. Connect to the primary.`
        )
      }
      return isReadOnly && attrs === "read-write"
        ? new ConnectionFailed(
          "read_only",
          `The database at ${address} accepts no writes, because default_transaction_read_only is on. Set it to off.`
        )
        : undefined
    case "read-only":
      return isReadOnly ? undefined : refuse("accepts writes, but target_session_attrs is read-only.")
    case "standby":
      return isStandby ? undefined : refuse("is not a standby, but target_session_attrs is standby.")
  }
}

/** Returns whether only the primary of a cluster can be in this state. */
export const isPrimaryRequired = (attrs: SessionAttrs): boolean => attrs === "read-write" || attrs === "primary"
