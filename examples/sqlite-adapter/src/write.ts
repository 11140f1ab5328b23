import { type DatabaseSync, type SQLInputValue } from "node:sqlite"

type Values = Readonly<Record<string, SQLInputValue>>

const uniqueViolation = 2067

/** Runs a write. Returns false if it violates a unique index. */
const tryWrite = (write: () => unknown): boolean => {
  try {
    write()
    return true
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === uniqueViolation) return false
    throw error
  }
}

/** Inserts a row. Returns false if it violates a unique index. */
export const insert = (database: DatabaseSync, table: string, values: Values): boolean => {
  const columns = Object.keys(values)
  const placeholders = columns.map((column) => `:${column}`)
  const statement = database.prepare(`insert into ${table} (${columns.join(", ")}) values (${placeholders.join(", ")})`)
  return tryWrite(() => statement.run({ ...values }))
}

/** Updates the row with this id unless it is deleted. Returns false if it violates a unique index. */
export const update = (database: DatabaseSync, table: string, id: string, values: Values): boolean => {
  const changes = Object.keys(values).map((column) => `${column} = :${column}`)
  const statement = database.prepare(`update ${table} set ${changes.join(", ")} where id = :id and deleted_at is null`)
  return tryWrite(() => statement.run({ ...values, id }))
}
