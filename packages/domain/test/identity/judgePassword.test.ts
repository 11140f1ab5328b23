import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { judgePassword } from "../../src/identity/judgePassword.ts"

const reasonOf = (password: string, personal: ReadonlyArray<string> = [], isCommon = false): unknown =>
  Result.match(judgePassword(password, { isCommon, personal }), {
    onFailure: ({ code, params }) => [code, params?.["reason"]],
    onSuccess: () => "accepted"
  })

const personal = ["Maria da Conceição", "maria.conceicao@example.com"]

describe("judgePassword", () => {
  it("AUTH-18 refuses a common password", () => {
    assert.deepStrictEqual(reasonOf("1q2w3e4r5t6y", [], true), ["GUESSABLE", "COMMON"])
  })

  it("AUTH-18 refuses one repeated character, of any script", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }), (one) => {
      fc.pre(Array.from(one).length === 1)
      assert.deepStrictEqual(reasonOf(one.repeat(12)), ["GUESSABLE", "REPEATED"])
      assert.strictEqual(reasonOf(`${one.repeat(11)}${one === "x" ? "y" : "x"}`), "accepted")
    }))
  })

  it("AUTH-18 refuses the name and the e-mail address of the user, and their small variations", () => {
    for (
      const password of [
        "Maria da Conceição",
        "mariadaconceicao",
        "MARIA DA CONCEICAO 1990",
        "2024 Maria da Conceição!",
        "maria.conceicao@example.com",
        "maria.conceicao",
        "Maria_Conceicao2026#",
        "mariaconceicaoexamplecom"
      ]
    ) assert.deepStrictEqual(reasonOf(password, personal), ["GUESSABLE", "PERSONAL"], password)
    assert.deepStrictEqual(reasonOf("11987654321-0", ["11987654321-0@example.com"]), ["GUESSABLE", "PERSONAL"])
  })

  it("AUTH-18 accepts a password that only contains the name, or has none of it", () => {
    for (const password of ["maria loves coxinha", "correct horse battery", "m4r1a.c0nce1cao"]) {
      assert.strictEqual(reasonOf(password, personal), "accepted", password)
    }
    assert.strictEqual(reasonOf("983-24-2341-0", ["", "12345", "@", "1@2", "..."]), "accepted")
  })

  it("AUTH-18 refuses a name with any letter case and any digits or punctuation around it", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcdeçãé"), minLength: 1, maxLength: 20 })
    const around = fc.string({ unit: fc.constantFrom(..."0123456789 .-_!#"), maxLength: 12 })
    fc.assert(fc.property(word, around, around, (name, before, after) => {
      const password = `${before}${name.toUpperCase()}${after}`
      assert.notStrictEqual(reasonOf(password, [name]), "accepted")
      assert.notStrictEqual(reasonOf(password, [`${name}@example.com`]), "accepted")
    }))
  })
})
