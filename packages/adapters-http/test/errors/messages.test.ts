import { assert, describe, it } from "@effect/vitest"
import { FieldErrorCode } from "@lastro/domain/input"
import { ApiErrorCode } from "../../src/api/ApiError.ts"
import { messagesEn } from "../../src/errors/messagesEn.ts"
import { messagesPtBr } from "../../src/errors/messagesPtBr.ts"

const params = { min: 12, max: 128, count: 3, allowed: "pf, pj", expected: "integer" }

describe("messages", () => {
  it("has a sentence for every code in both languages", () => {
    for (const code of ApiErrorCode.literals) {
      assert.match(messagesEn.errors[code], /^[A-Z].*\.$/)
      assert.match(messagesPtBr.errors[code], /^[A-ZÉ].*\.$/)
      assert.notStrictEqual(messagesEn.errors[code], messagesPtBr.errors[code])
    }
    for (const code of FieldErrorCode.literals) {
      const english = messagesEn.fields[code](params)
      const portuguese = messagesPtBr.fields[code](params)
      assert.match(english, /^[A-Z0-9].*\.$/)
      assert.match(portuguese, /^[A-ZÉ].*\.$/)
      assert.notStrictEqual(english, portuguese)
    }
  })

  it("includes the params of a problem, and reads well without them", () => {
    for (const { fields } of [messagesEn, messagesPtBr]) {
      assert.include(fields.TOO_SHORT(params), "12")
      assert.include(fields.TOO_LONG(params), "128")
      assert.include(fields.HAS_USERS(params), "3")
      assert.include(fields.UNKNOWN_VALUE(params), "pf, pj")
      assert.include(fields.INVALID_FORMAT({ decimals: 2 }), "2")
      assert.include(fields.INVALID_FORMAT({ expected: "UUID" }), "UUID")
      for (const code of FieldErrorCode.literals) {
        if (code.startsWith("HAS_")) continue
        for (const some of [{}, { min: 12 }, { max: 128 }, params, { decimals: 2 }]) {
          assert.notInclude(fields[code](some), "undefined")
        }
      }
    }
  })

  it("an empty text and a replaced offer have sentences of their own", () => {
    assert.strictEqual(messagesEn.fields.TOO_SHORT({ min: 1 }), "The value must not be empty.")
    assert.strictEqual(messagesPtBr.fields.TOO_SHORT({ min: 1 }), "O valor não pode ficar vazio.")
    for (const { fields } of [messagesEn, messagesPtBr]) {
      assert.notStrictEqual(fields.SUPERSEDED({}), fields.SUPERSEDED({ reason: "UNCHANGED" }))
    }
  })

  it("counts the problems that are not listed", () => {
    assert.strictEqual(messagesEn.countUnlisted(1), "1 more problem is not listed.")
    assert.strictEqual(messagesEn.countUnlisted(31_900), "31900 more problems are not listed.")
    assert.strictEqual(messagesPtBr.countUnlisted(1), "Mais 1 problema não está listado.")
    assert.strictEqual(messagesPtBr.countUnlisted(2), "Mais 2 problemas não estão listados.")
  })

  it("names the expected type in both languages", () => {
    assert.strictEqual(messagesEn.fields.INVALID_TYPE(params), "The value must be of type integer.")
    assert.strictEqual(messagesPtBr.fields.INVALID_TYPE(params), "O valor deve ser um número inteiro.")
    assert.strictEqual(messagesEn.fields.INVALID_TYPE({ expected: "text" }), "The value must be of type text.")
    assert.strictEqual(messagesPtBr.fields.INVALID_TYPE({ expected: "text" }), "O valor deve ser um texto.")
  })

  it("names the minimum age of a customer in both languages", () => {
    const params = { max: "2008-01-31", min_age: 18 }
    assert.strictEqual(messagesEn.fields.OUT_OF_RANGE(params), "The customer must be at least 18 years old.")
    assert.strictEqual(messagesPtBr.fields.OUT_OF_RANGE(params), "O cliente deve ter pelo menos 18 anos.")
  })

  it("names the bounds of a range", () => {
    for (const { fields } of [messagesEn, messagesPtBr]) {
      const bounds = [{ min: 1, max: 10 }, { min: 0.01 }, { max: "2026-01-31" }, { not: 0 }, { below: 100 }, {
        not_before: "birth_date"
      }, {}]
      const said = bounds.map(fields.OUT_OF_RANGE)
      assert.strictEqual(new Set(said).size, bounds.length)
      for (const [index, words] of [["1", "10"], ["0.01"], ["2026-01-31"], ["0"], ["100"], ["birth_date"]].entries()) {
        for (const word of words) assert.include(said[index], word)
      }
    }
  })

  it("names the amount whose sign another one must have", () => {
    for (const { fields } of [messagesEn, messagesPtBr]) {
      assert.include(fields.MISMATCH({ sign_of: "paid_amount" }), "paid_amount")
      assert.notStrictEqual(fields.MISMATCH({}), fields.MISMATCH({ sign_of: "paid_amount" }))
    }
  })

  it("INPUT-02 a message names the expected format, in its language", () => {
    assert.strictEqual(
      messagesEn.fields.INVALID_FORMAT({ expected: "YYYY-MM-DD" }),
      "The expected format is: YYYY-MM-DD."
    )
    assert.strictEqual(
      messagesPtBr.fields.INVALID_FORMAT({ expected: "YYYY-MM-DD" }),
      "O formato esperado é: AAAA-MM-DD."
    )
  })
})
