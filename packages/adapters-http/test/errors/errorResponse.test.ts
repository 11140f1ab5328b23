import { assert, describe, it } from "@effect/vitest"
import { Unauthenticated } from "@lastro/domain/identity"
import { ValidationFailed } from "@lastro/domain/input"
import { Busy } from "@lastro/domain/ports"
import { errorResponse } from "../../src/errors/index.ts"

describe("errorResponse", () => {
  it("makes the error envelope in the language of the client", () => {
    const failure = new ValidationFailed({ problems: [{ field: "partner.name", code: "REQUIRED" }] })
    const { body, headers, status } = errorResponse(failure, { request_id: "r-1", accept_language: "pt-BR,en;q=0.5" })
    assert.deepInclude(body.error, { code: "VALIDATION_FAILED", request_id: "r-1" })
    assert.deepInclude(body.error.details[0], { field: "partner.name", code: "REQUIRED" })
    assert.strictEqual(headers["content-language"], "pt-BR")
    assert.strictEqual(status, 422)
  })

  it("says when to try again, and keeps the reason of a refused caller for the log", () => {
    const options = { request_id: "r-2" }
    assert.strictEqual(errorResponse(new Busy({ retry_after_seconds: 3 }), options).headers["retry-after"], "3")
    const refused = errorResponse(new Unauthenticated({ reason: "inactive" }), options)
    assert.strictEqual(refused.status, 401)
    assert.notInclude(JSON.stringify(refused), "inactive")
  })
})
