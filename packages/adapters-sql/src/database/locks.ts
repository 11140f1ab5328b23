import { type SqlClient } from "effect/sql"

/** The hash seed of each kind of lock. Because of it, equal names of different kinds have different keys. */
const kinds = { tree: 1, counts: 2, installation: 3, signingKeys: 4, idempotency: 5 } as const

/** Advisory locks of PostgreSQL that are released at the end of the surrounding transaction. */
export const locks = (sql: SqlClient.SqlClient) => {
  const key = (kind: keyof typeof kinds, name: string) => sql`hashtextextended(${name}, ${kinds[kind]})`
  return {
    /** Acquires the lock in shared mode. Waits while another transaction holds it in exclusive mode. */
    shared: (kind: keyof typeof kinds, name: string) => sql`select pg_advisory_xact_lock_shared(${key(kind, name)})`,
    /** Acquires the lock in exclusive mode. Waits while another transaction holds it in any mode. */
    exclusive: (kind: keyof typeof kinds, name: string) => sql`select pg_advisory_xact_lock(${key(kind, name)})`,
    /**
     * Tries to acquire the lock in exclusive mode, without waiting. Returns one row; `taken` is false if another
     * transaction holds the lock.
     */
    attempt: (kind: keyof typeof kinds, name: string) =>
      sql<{ readonly taken: boolean }>`select pg_try_advisory_xact_lock(${key(kind, name)}) as taken`
  }
}
