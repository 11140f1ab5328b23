import { type DatabaseSync, type SQLInputValue } from "node:sqlite"

type Values = Readonly<Record<string, SQLInputValue>>

const uniqueViolation = 2067

/** Whether a statement wrote: not, and nothing is written, where a unique index already has the value. */
const wrote = (write: () => unknown): boolean => {
  try {
    write()
    return true
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === uniqueViolation) return false
    throw error
  }
}

/** Adds a row; false where a unique index already has one of its values. */
export const insert = (database: DatabaseSync, table: string, values: Values): boolean => {
  const columns = Object.keys(values)
  const places = columns.map((column) => `:${column}`)
  const statement = database.prepare(`insert into ${table} (${columns.join(", ")}) values (${places.join(", ")})`)
  return wrote(() => statement.run({ ...values }))
}

/** Changes the row with this id; false where a unique index already has one of the values. */
export const update = (database: DatabaseSync, table: string, id: string, values: Values): boolean => {
  const changes = Object.keys(values).map((column) => `${column} = :${column}`)
  const statement = database.prepare(`update ${table} set ${changes.join(", ")} where id = :id and deleted_at is null`)
  return wrote(() => statement.run({ ...values, id }))
}
