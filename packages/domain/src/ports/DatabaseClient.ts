import { Predicate } from "effect"

/** A statement in the format of `pg`. */
export interface ClientStatement {
  readonly text: string
  readonly values: Array<unknown>
  /** `extended`: the text has exactly one statement. */
  readonly queryMode?: "extended"
  /** Replaces the parsers of column values for this statement. `type` is the object id of the column's type. */
  readonly types?: { readonly getTypeParser: (type: number) => (value: string) => unknown }
}

/** The result of a statement in the format of `pg`. */
export interface ClientRows {
  readonly rows: ReadonlyArray<unknown>
  readonly rowCount: number | null
}

/**
 * One connection of the host to the database, such as a `Client` or a `PoolClient` of `pg`. A `Pool` is not one
 * connection.
 */
export interface DatabaseClient {
  query(statement: ClientStatement): Promise<ClientRows>
}

const hasMembers = (value: object, ...names: ReadonlyArray<string>): boolean => names.every((name) => name in value)

const passClientOfTransaction =
  "Pass the client of its transaction, which `clientsOfPool` of @lastro/adapters-sql finds"

/**
 * Returns the reason why a value cannot be the client of a host, and the remedy. Undefined if the value may be a
 * client. Recognizes objects that hosts confuse with a client.
 */
export const clientProblem = (value: unknown): string | undefined => {
  if (value === null || typeof value !== "object" && typeof value !== "function") {
    return `the given value is ${value === null ? "null" : `of the type ${typeof value}`}`
  }
  if (hasMembers(value, "then")) return "the given value is a promise. Add `await`"
  if (hasMembers(value, "connect", "query", "totalCount")) {
    return "the given value is a Pool, which runs each statement on any of its connections. Check out a client with " +
      "`await pool.connect()`, send BEGIN on it, and pass this client"
  }
  if (hasMembers(value, "unsafe")) {
    return "the given value is an `sql` of postgres.js. Pass `clientOfPostgresJs(sql)` of @lastro/adapters-sql, with " +
      "the `sql` of the callback of `sql.begin`"
  }
  if (hasMembers(value, "selectFrom")) return `the given value is a Kysely object. ${passClientOfTransaction}`
  if (hasMembers(value, "$queryRawUnsafe")) return `the given value is a client of Prisma. ${passClientOfTransaction}`
  if (hasMembers(value, "select", "insert", "execute")) {
    return `the given value is a database of Drizzle. ${passClientOfTransaction}`
  }
  return Predicate.hasProperty(value, "query") && typeof value.query === "function"
    ? undefined
    : "the given value has no function `query`"
}
