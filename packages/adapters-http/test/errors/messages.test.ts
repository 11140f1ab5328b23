import { assert, describe, it } from "@effect/vitest"
import { FieldErrorCode } from "@lastro/domain"
import { ApiErrorCode } from "../../src/api/ApiError.ts"
import { messagesEn } from "../../src/errors/messagesEn.ts"
import { messagesPtBr } from "../../src/errors/messagesPtBr.ts"

const params = { min: 12, max: 128, count: 3, allowed: "pf, pj", expected: "integer" }

describe("messages", () => {
  it("has a sentence for every code in both languages, and never the same one", () => {
    for (const code of ApiErrorCode.literals) {
      assert.match(messagesEn.errors[code], /^[A-Z].*\.$/)
      assert.match(messagesPtBr.errors[code], /^[A-ZÉ].*\.$/)
      assert.notStrictEqual(messagesEn.errors[code], messagesPtBr.errors[code])
    }
    for (const code of FieldErrorCode.literals) {
      const english = messagesEn.fields[code](params)
      const portuguese = messagesPtBr.fields[code](params)
      assert.match(english, /^[A-Z].*\.$/)
      assert.match(portuguese, /^[A-ZÉ].*\.$/)
      assert.notStrictEqual(english, portuguese)
    }
  })

  it("mentions the facts of a problem where there are some, and reads well where there are none", () => {
    for (const { fields } of [messagesEn, messagesPtBr]) {
      assert.include(fields.TOO_SHORT(params), "12")
      assert.include(fields.TOO_LONG(params), "128")
      assert.include(fields.HAS_USERS(params), "3")
      assert.include(fields.UNKNOWN_VALUE(params), "pf, pj")
      assert.include(fields.INVALID_TYPE(params), "integer")
      for (const code of ["TOO_SHORT", "TOO_LONG", "UNKNOWN_VALUE", "INVALID_TYPE"] as const) {
        assert.notInclude(fields[code]({}), "undefined")
      }
    }
  })
})
