import { ClientRefused, type DatabaseClient } from "@lastro/domain/ports"

/** The part of a `Pool` of `pg` that {@link clientsOfPool} uses. */
export interface ObservablePool<Client> {
  on(event: "connect" | "remove", listener: (client: Client) => void): unknown
}

/** Finds the client of a pool that runs a given transaction. */
export interface PoolClients<Client> {
  /**
   * Returns the client on which a library runs its transaction. `run` runs a statement in that transaction, and
   * resolves with the library's result: rows, or an object with `rows`.
   */
  readonly of: (run: (text: string) => PromiseLike<unknown>) => Promise<Client>
}

/** Returns the process id in the result of the statement. */
const pidOf = (answer: unknown): unknown => {
  const rows: unknown = Array.isArray(answer) ? answer : Object(answer).rows
  return Array.isArray(rows) ? Object(rows[0]).lastro_pid : undefined
}

/**
 * Observes a pool of `pg`, to find the client on which a library such as Kysely, Drizzle or Prisma runs a transaction.
 * These libraries do not reveal that client, but `lastro.within` needs it. Call this function once per pool, before the
 * pool is used. The pool must connect to PostgreSQL directly: a pooler such as PgBouncer reports other process ids.
 */
export const clientsOfPool = <Client extends DatabaseClient>(pool: ObservablePool<Client>): PoolClients<Client> => {
  // Bounded by the maximum size of the pool.
  const clients = new Set<Client>()
  pool.on("connect", (client) => clients.add(client))
  pool.on("remove", (client) => clients.delete(client))
  return {
    of: async (run) => {
      const pid = pidOf(await run("select pg_backend_pid() as lastro_pid"))
      for (const client of clients) if (pid !== undefined && Object(client).processID === pid) return client
      throw new ClientRefused(
        pid === undefined
          ? "The function must return the rows of the statement that it gets, or an object with `rows`."
          : "The pool has no client with this transaction. Call `clientsOfPool` before the first use of the pool, pass " +
            "the pool that the library uses, and connect to PostgreSQL without a pooler such as PgBouncer."
      )
    }
  }
}
