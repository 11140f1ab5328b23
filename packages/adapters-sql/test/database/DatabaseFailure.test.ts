import { assert, describe, it } from "@effect/vitest"
import { SqlError } from "effect/sql"
import { DatabaseFailure } from "../../src/database/DatabaseFailure.ts"

describe("DatabaseFailure", () => {
  it("T33 tells a log the reason, the constraint and its place, and nothing that the database quotes", () => {
    const quoting = "Key (email)=(ana.secret@example.com) already exists."
    const cause = Object.assign(new Error(quoting), {
      code: "23505",
      detail: quoting,
      where: quoting,
      routine: "_bt_check_unique",
      table: "app_user",
      constraint: "app_user_email_key"
    })
    const reason = new SqlError.UniqueViolation({ cause, constraint: "app_user_email_key", message: quoting })
    const { isTransient, logMessage, stack } = new DatabaseFailure(new SqlError.SqlError({ reason }))
    assert.strictEqual(
      logMessage,
      "UniqueViolation, code 23505, routine _bt_check_unique, table app_user, constraint app_user_email_key"
    )
    assert.notInclude(`${stack}`, "ana.secret")
    assert.isFalse(isTransient, "trying again changes nothing")
  })
})
