import { assert, describe, it } from "@effect/vitest"
import { SqlError } from "effect/sql"
import { DatabaseFailure } from "../../src/database/DatabaseFailure.ts"

describe("DatabaseFailure", () => {
  it("T33 the log message of a database failure has the reason, the location and the constraint, and no value that the database quotes", () => {
    const quotingMessage = "Key (email)=(ana.secret@example.com) already exists."
    const cause = Object.assign(new Error(quotingMessage), {
      code: "23505",
      detail: quotingMessage,
      where: quotingMessage,
      routine: "_bt_check_unique",
      table: "app_user",
      constraint: "app_user_email_key"
    })
    const reason = new SqlError.UniqueViolation({ cause, constraint: "app_user_email_key", message: quotingMessage })
    const { isTransient, logMessage, stack } = new DatabaseFailure(new SqlError.SqlError({ reason }))
    assert.strictEqual(
      logMessage,
      "UniqueViolation, code 23505, routine _bt_check_unique, table app_user, constraint app_user_email_key"
    )
    assert.notInclude(`${stack}`, "ana.secret")
    assert.isFalse(isTransient, "a retry cannot succeed")
  })
})
