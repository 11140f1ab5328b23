import { assert, describe, it } from "@effect/vitest"
import { layerMemory } from "@lastro/testkit"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { isCommonPassword, judgePassword } from "../../src/identity/judgePassword.ts"

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

  it("AUTH-18 refuses parts of the name and address with digits and symbols, and a password with the CPF", () => {
    const own = [...personal, "529.982.247-25"]
    for (
      const password of ["maria12345678", "Conceição@2026", "mariaConceicao.1", "52998224725!a", "senha 529.982.247-25"]
    ) assert.deepStrictEqual(reasonOf(password, own), ["GUESSABLE", "PERSONAL"], password)
    for (const password of ["529982247 senha longa", "mariachi e conceitos"]) {
      assert.strictEqual(reasonOf(password, own), "accepted", password)
    }
  })

  it("AUTH-18 refuses a short text that is repeated, also with digits and symbols between and around", () => {
    const all = ["abcabcabcabc", "senhasenhasenha", "121212121212", "senhasenha12", "Senha12!Senha", "12mudarmudar"]
    for (const password of all) assert.deepStrictEqual(reasonOf(password), ["GUESSABLE", "REPEATED"], password)
    for (const password of ["a9-a8=a7+a6!", "4k83920174k1"]) {
      assert.strictEqual(reasonOf(password), "accepted", password)
    }
  })

  it("AUTH-18 refuses a part of a name with a year and at most four more letters or digits", () => {
    const own = ["Maria da Conceição", "maria.conceicao@example.com", "Crédito Aurora Ltda"]
    const refused = ["Aurora@2026xx", "xx2026credito1", "C0nceica0#1990ab", "Aurora.19.2027", "!!arorua2026ab"]
    for (const password of refused) {
      assert.deepStrictEqual(reasonOf(password, own), ["GUESSABLE", "PERSONAL"], password)
    }
    for (const password of ["Aurora@2126xx", "aurora 2026 boreal", "ltda2026xk9wq2", "aurora20x26yz"]) {
      assert.strictEqual(reasonOf(password, own), "accepted", password)
    }
  })

  it("AUTH-18 refuses a sequence", () => {
    for (const password of ["123456789012", "987654321098", "abcdefghijkl", "ZYXWVUTSRQPO"]) {
      assert.deepStrictEqual(reasonOf(password), ["GUESSABLE", "COMMON"], password)
    }
    for (const password of ["123456789013", "abcdefghijkm", "139845207746"]) {
      assert.strictEqual(reasonOf(password), "accepted", password)
    }
  })

  it("AUTH-18 refuses the name, address and CPF backwards, with letters that look alike, and with digits", () => {
    const own = ["Maria da Conceição de Souza", "maria.souza@example.com", "529.982.247-25"]
    const refused = [
      "Maria da Conceicao",
      "Oãçiecnoc ad Airam",
      "azuos.airam99",
      "moc.elpmaxe@azuos.airam",
      "m4r1a.c0nce1cao",
      "M4ri4$0uz4123",
      "@zu0s4ir4m#99",
      "souza de souza 1",
      "52742289925!a",
      "x527-422-899-25",
      "9952998224725"
    ]
    for (const password of refused) {
      assert.deepStrictEqual(reasonOf(password, own), ["GUESSABLE", "PERSONAL"], password)
    }
    for (const password of ["souza, tapioca e mar", "de de de da x9#k", "conceitos de maria"]) {
      assert.strictEqual(reasonOf(password, own), "accepted", password)
    }
  })

  it("AUTH-18 accepts passphrases of random words", () => {
    const word = fc.constantFrom(
      ..."tapioca cavalo grampo janela chuva telha lápis trovão balcão farinha curva".split(" ")
    )
    const words = fc.uniqueArray(word, { minLength: 4, maxLength: 6 })
    fc.assert(fc.property(words, fc.constantFrom(" ", "-", ""), (phrase, between) => {
      assert.strictEqual(reasonOf(phrase.join(between), personal), "accepted")
    }))
  })

  it.effect("AUTH-18 finds a common word of Brazil among digits and symbols, also in letters that look alike", () =>
    Effect.gen(function*() {
      const common = [
        "senha1234567",
        "Mudar@123456",
        "flamengo1234",
        "S3nh@1234567",
        "2026!Br4s1l!2026",
        "***BRASIL2026***",
        "7654321ahnes",
        "FGTS@2026@2027",
        "Saque-Aniversario1",
        "administrator2026",
        "Lastro@2026xx",
        "2026-L4str0-abc",
        "xfgts@2025#12"
      ]
      for (const password of common) assert.isTrue(yield* isCommonPassword(password), password)
      for (const password of ["minha senha do brasil", "senhaforte-mudar", "coração é sempre ágil", "983-24-2341-0"]) {
        assert.isFalse(yield* isCommonPassword(password), password)
      }
    }).pipe(Effect.provide(layerMemory)))

  it("AUTH-18 accepts a password that only contains the name, or has none of it", () => {
    for (const password of ["maria loves coxinha", "correct horse battery", "conta da maria"]) {
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
