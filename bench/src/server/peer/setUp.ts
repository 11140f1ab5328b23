import { type JSONWebKeySet } from "jose"
import { Pool, types } from "pg"

/** The configuration of the hand-written server. It receives it as JSON in the environment variable `PEER`. */
export interface PeerConfig {
  readonly port: number
  readonly database: string
  /** Maximum number of connections to the database. */
  readonly connections: number
  readonly issuer: string
  readonly keys: JSONWebKeySet
  readonly groups: ReadonlyArray<{
    readonly group_id: string
    readonly slug: string
    readonly label: string
    readonly permissions: ReadonlyArray<string>
  }>
}

/** The configuration of this process. */
export const config: PeerConfig = JSON.parse(process.env["PEER"] ?? "")

const int8 = 20
const timestamptz = 1184

/** Converts a `timestamptz` to ISO 8601 with milliseconds. PostgreSQL returns it in UTC and omits trailing zeros. */
const toIso = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, "0") : "000"
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/** The parsers of column values. Integers become numbers, and timestamps become ISO 8601 texts, as in the API. */
const parsers = {
  getTypeParser: ((oid: number, format?: "text") => {
    if (oid === int8) return Number
    return oid === timestamptz
      ? toIso
      : types.getTypeParser(oid, format)
  }) as typeof types.getTypeParser
}

/**
 * The connection pool. Each prepared statement is written for one access path, so PostgreSQL uses one generic plan for
 * it.
 */
export const pool = new Pool({
  connectionString: config.database,
  max: config.connections,
  types: parsers,
  options: "-c jit=off -c max_parallel_workers_per_gather=0 -c plan_cache_mode=force_generic_plan -c TimeZone=UTC",
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000
})
