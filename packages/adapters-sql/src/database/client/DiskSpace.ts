import { Predicate } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"
import { sqlStateOf } from "./sqlErrors.ts"

/** The SQLSTATE of a write that failed because the server had no disk space. */
const diskFullState = "53100"

/**
 * The state of the disk of a client's database. It is full after a statement failed with SQLSTATE 53100, until a large
 * write succeeds.
 */
export class DiskSpace {
  isFull = false

  /** Marks the disk as full if the error reports a full disk. Returns the error. */
  note(error: SqlError.SqlError): SqlError.SqlError {
    this.noteState(sqlStateOf(error))
    return error
  }

  /** Marks the disk as full if the SQLSTATE reports a full disk. */
  noteState(state: string | undefined): void {
    if (state === diskFullState) this.isFull = true
  }
}

/** Returns the disk state of a client. A client made by the host has a state that never changes. */
export const diskSpaceOf = (sql: SqlClient.SqlClient): DiskSpace =>
  Predicate.hasProperty(sql, "diskSpace") && sql.diskSpace instanceof DiskSpace ? sql.diskSpace : new DiskSpace()
