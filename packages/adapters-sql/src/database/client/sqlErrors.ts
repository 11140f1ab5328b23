import { SqlError } from "effect/sql"

interface ErrorFields {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}

export const readField = (error: unknown, name: string): string | undefined => {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === "string" ? value : undefined
}

/**
 * Returns the SQLSTATE in the field `code` of an error. Undefined for a network error. Some codes of Node.js, such as
 * EPIPE, have the form of an SQLSTATE. They start with `E`, and no SQLSTATE of PostgreSQL does.
 */
export const stateOf = (error: unknown): string | undefined => {
  const code = readField(error, "code")
  return code !== undefined && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined
}

/** Returns the SQLSTATE of an error. Undefined if the server did not report the error. */
export const sqlStateOf = ({ reason: { cause } }: SqlError.SqlError): string | undefined => stateOf(cause)

const reasonOf = (state: string | undefined, constraint: string | undefined, fields: ErrorFields) => {
  if (state === undefined || /^(?:08|57P)/.test(state)) return new SqlError.ConnectionError(fields)
  switch (state) {
    case "23505":
      return new SqlError.UniqueViolation({ ...fields, constraint: constraint ?? "unknown" })
    case "40001":
      return new SqlError.SerializationError(fields)
    case "40P01":
      return new SqlError.DeadlockError(fields)
    case "55P03":
      return new SqlError.LockTimeoutError(fields)
    case "57014":
      return new SqlError.StatementTimeoutError(fields)
    default:
      return new SqlError.UnknownError(fields)
  }
}

/** Converts an error of the host's client to the error that Lastro's own client would fail with. */
export const toSqlError = (cause: unknown): SqlError.SqlError => {
  const fields = { cause, message: "The statement failed on the client of the host", operation: "query" }
  return new SqlError.SqlError({ reason: reasonOf(stateOf(cause), readField(cause, "constraint"), fields) })
}

const namePattern = String.raw`(?:"[^"]+"|[a-z_]\w*)`
const verbPattern = /^\s*(\w+)/
const tablePattern = new RegExp(
  String
    .raw`\b(?:from|into|update|join|table)\s+(?:only\s+|if\s+(?:not\s+)?exists\s+)?(${namePattern}(?:\.${namePattern})?)`,
  "i"
)

/** Removes string literals and comments from a statement, because they can contain stored values. */
const withoutTexts = (sql: string): string => sql.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs, " ")

/** Returns the verb and the first table of a statement, such as `insert into shop_order`. It contains no values. */
const describeStatement = (sql: string): string => {
  const text = withoutTexts(sql)
  const [, verb = "statement"] = verbPattern.exec(text) ?? []
  const [, table] = tablePattern.exec(text) ?? []
  return table === undefined ? verb.toLowerCase() : `${verb.toLowerCase()}, table ${table}`
}

/**
 * Replaces the server's message in an error, because it can contain stored values. The new message has the SQLSTATE and
 * the description of the statement. An error without a SQLSTATE stays unchanged.
 */
export const nameStatement = (error: SqlError.SqlError, sql: string): SqlError.SqlError => {
  const state = sqlStateOf(error)
  if (state === undefined) return error
  const message = `The statement failed with SQLSTATE ${state} (${describeStatement(sql)})`
  // Keep the class and the fields of the error: they decide whether a retry is useful.
  Object.defineProperty(error.reason, "message", { value: message, configurable: true })
  return error
}
