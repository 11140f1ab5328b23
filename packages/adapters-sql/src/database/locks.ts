import { type SqlClient } from "effect/sql"

/** What advisory locks are taken for; each is a space of keys of its own. */
const spaces = { tree: 1, counts: 2, installation: 3, signingKeys: 4, idempotency: 5 } as const

/** Advisory locks that end with the transaction around them. */
export const locks = (sql: SqlClient.SqlClient) => {
  const key = (space: keyof typeof spaces, name: string) => sql`hashtextextended(${name}, ${spaces[space]})`
  return {
    /** Waits for the lock beside other shared holders. */
    shared: (space: keyof typeof spaces, name: string) => sql`select pg_advisory_xact_lock_shared(${key(space, name)})`,
    /** Waits for the lock alone. */
    exclusive: (space: keyof typeof spaces, name: string) => sql`select pg_advisory_xact_lock(${key(space, name)})`,
    /** Takes the lock alone if nobody has it: one row, whose `taken` tells. */
    attempt: (space: keyof typeof spaces, name: string) =>
      sql<{ readonly taken: boolean }>`select pg_try_advisory_xact_lock(${key(space, name)}) as taken`
  }
}
