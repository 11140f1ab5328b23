import { Effect } from "effect"
import { SchemaUnusable } from "./SchemaUnusable.ts"

/** The lowest supported major version of PostgreSQL. */
const lowestServer = 15

/** Fails if the server is too old. The number is `server_version_num`, such as 150004. */
export const requireServer = (server: number, database: string) =>
  server >= lowestServer * 10_000 ? Effect.void : new SchemaUnusable({
    problem: `The server of the database ${database} is PostgreSQL ${Math.floor(server / 10_000)}, which is too old`,
    remedy: `use PostgreSQL ${lowestServer} or newer`
  })
