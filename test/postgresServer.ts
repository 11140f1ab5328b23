import { openPostgresHost } from "./PostgresHost.ts"

/** A running PostgreSQL: the URL of its superuser, and a function that stops it. */
export interface PostgresServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

// The data is temporary, so durability is off.
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "32MB",
  // Reads mostly come from memory, where the workers of PostgreSQL only add work.
  io_method: "sync",
  update_process_title: "off",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

/** Starts a PostgreSQL in a temporary directory, on a free port. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const host = await openPostgresHost()
  await host.initialize("data")
  const { port, remove } = await host.start({ data: "data", settings })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: remove }
}
