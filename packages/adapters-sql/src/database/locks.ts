import { type SqlClient } from "effect/sql"

/**
 * The number of each kind of lock. It is part of the lock key, so equal names of different kinds have different keys.
 */
const kinds = {
  tree: 1,
  counts: 2,
  installation: 3,
  signingKeys: 4,
  idempotency: 5,
  reference: 6,
  customer: 7
} as const

type Kind = keyof typeof kinds

/**
 * Advisory locks of PostgreSQL that are released at the end of the current transaction. A key contains the id of a
 * table of the installation, so installations in one database have separate locks.
 * `name` is a text, a fragment or the placeholder of a precompiled statement.
 */
export const locks = (sql: SqlClient.SqlClient) => {
  const key = (kind: Kind, name: unknown) =>
    sql`hashtextextended(${name}, 'partner'::regclass::oid::bigint * 16 + ${sql.literal(String(kinds[kind]))})`
  return {
    /** Acquires the lock in shared mode. Waits while another transaction holds it in exclusive mode. */
    shared: (kind: Kind, name: unknown) => sql`select pg_advisory_xact_lock_shared(${key(kind, name)})`,
    /** Acquires the lock in exclusive mode. Waits while another transaction holds it in any mode. */
    exclusive: (kind: Kind, name: unknown) => sql`select pg_advisory_xact_lock(${key(kind, name)})`,
    /**
     * Tries to acquire the lock in exclusive mode, without waiting. Returns one row; `taken` is false if another
     * transaction holds the lock.
     */
    attempt: (kind: Kind, name: unknown) =>
      sql<{ readonly taken: boolean }>`select pg_try_advisory_xact_lock(${key(kind, name)}) as taken`
  }
}
