import { assert, describe, it } from "@effect/vitest"
import { CommonPasswords } from "@lastro/domain/identity"
import { commonPasswordsSuite } from "@lastro/testkit/suites"
import { dictionary } from "@zxcvbn-ts/language-common"
import { Effect, Result } from "effect"
import * as runner from "vitest"
import { judgeNewPassword } from "../../../domain/src/identity/judgePassword.ts"
import { layerCommonPasswords } from "../../src/security/PasswordHasher.ts"

commonPasswordsSuite("zxcvbn-ts", layerCommonPasswords, runner)

describe("CommonPasswords", () => {
  it.effect("AUTH-18 refuses weak passwords of Brazil, and accepts passphrases", () =>
    Effect.gen(function*() {
      const refused =
        ("senha1234567 Mudar@123456 flamengo1234 Corinthians12 palmeiras2024 qwerty1234567 P@ssw0rd1234 admin1234567 " +
          "zxcvbnm12345 ednarg!2026!! caixa1234567 minhasenha123").split(" ")
      const accepted = [
        "cavalo correto bateria grampo",
        "tapioca fervida no balcão 8",
        "o rato roeu a roupa do rei",
        "Xk9#vT2!qLp7",
        "marimbondo-telha-curva-dedal",
        "chuva! lápis7 trovão"
      ]
      for (const password of [...refused, ...accepted]) {
        const judged = yield* judgeNewPassword(password, "password", ["Maria da Conceição", "maria@example.com"])
        assert.strictEqual(Result.isFailure(judged), refused.includes(password), password)
      }
    }).pipe(Effect.provide(layerCommonPasswords)))

  it.effect("includes the 10 000 most common passwords", () =>
    Effect.gen(function*() {
      const { includes } = yield* CommonPasswords
      const most = dictionary["passwords-common"].slice(0, 10_000)
      assert.strictEqual(most.length, 10_000)
      for (const password of most) assert.isTrue(yield* includes(password.toUpperCase()), password)
    }).pipe(Effect.provide(layerCommonPasswords)))
})
