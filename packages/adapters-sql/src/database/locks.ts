import { type SqlClient } from "effect/sql"

/** The seed of each lock's hash: locks of different kinds never share a key. */
const kinds = { tree: 1, counts: 2, installation: 3, signingKeys: 4, idempotency: 5 } as const

/** Advisory locks of PostgreSQL that are released at the end of the surrounding transaction. */
export const locks = (sql: SqlClient.SqlClient) => {
  const key = (kind: keyof typeof kinds, name: string) => sql`hashtextextended(${name}, ${kinds[kind]})`
  return {
    /** Waits for the lock and shares it with other shared holders. */
    shared: (kind: keyof typeof kinds, name: string) => sql`select pg_advisory_xact_lock_shared(${key(kind, name)})`,
    /** Waits for the exclusive lock. */
    exclusive: (kind: keyof typeof kinds, name: string) => sql`select pg_advisory_xact_lock(${key(kind, name)})`,
    /** Acquires the exclusive lock without waiting. Returns one row; `taken` is false if another transaction holds it. */
    attempt: (kind: keyof typeof kinds, name: string) =>
      sql<{ readonly taken: boolean }>`select pg_try_advisory_xact_lock(${key(kind, name)}) as taken`
  }
}
