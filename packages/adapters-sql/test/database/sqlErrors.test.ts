import { assert, describe, it } from "@effect/vitest"
import { toSqlError } from "../../src/database/client/sqlErrors.ts"

const reasonOf = (code: string): string => toSqlError(Object.assign(new Error("failed"), { code })).reason._tag

describe("an error of the host's client", () => {
  it("with a code of Node.js is a lost connection, also if the code has the form of an SQLSTATE", () => {
    for (const code of ["ECONNRESET", "EPIPE", "EPERM"]) assert.strictEqual(reasonOf(code), "ConnectionError", code)
  })

  it("with an SQLSTATE has the reason of that SQLSTATE", () => {
    const reasons = { "57P01": "ConnectionError", "23505": "UniqueViolation", XX000: "UnknownError" }
    for (const [state, reason] of Object.entries(reasons)) assert.strictEqual(reasonOf(state), reason, state)
  })
})
