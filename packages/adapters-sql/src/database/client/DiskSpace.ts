import { Predicate } from "effect"
import { type SqlClient, type SqlError } from "effect/sql"
import { sqlStateOf } from "./sqlErrors.ts"

/** The SQLSTATE of a write for which the server had no disk space. */
const diskFullState = "53100"

/**
 * A mark of one client: the disk of its database is full. A statement that fails with SQLSTATE 53100 sets the mark. It
 * stays until a large write succeeds.
 */
export class DiskSpace {
  isMissing = false

  /** Marks the disk as full if the statement failed for that reason. Returns the error. */
  note(error: SqlError.SqlError): SqlError.SqlError {
    this.noteState(sqlStateOf(error))
    return error
  }

  /** Marks the disk as full if this is the SQLSTATE of a failure for that reason. */
  noteState(state: string | undefined): void {
    if (state === diskFullState) this.isMissing = true
  }
}

/** Returns the mark of a client. The statements of a client that the host has made do not change its mark. */
export const diskSpaceOf = (sql: SqlClient.SqlClient): DiskSpace =>
  Predicate.hasProperty(sql, "diskSpace") && sql.diskSpace instanceof DiskSpace ? sql.diskSpace : new DiskSpace()
