import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { judgeClientSecret } from "../../src/operator/apiClients.ts"

const tag = (secret: string): string =>
  Result.match(judgeClientSecret(Redacted.make(secret)), { onSuccess: Redacted.value, onFailure: ({ _tag }) => _tag })

describe("judgeClientSecret", () => {
  it("CLIENT-02 a chosen client secret has 16 to 128 visible ASCII characters", () => {
    for (const secret of ["x".repeat(16), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "~".repeat(128)]) {
      assert.strictEqual(tag(secret), secret)
    }
    const rest = "x".repeat(16)
    for (const secret of ["", "x".repeat(15), "x".repeat(129)]) {
      assert.strictEqual(tag(secret), "ClientSecretMalformed", JSON.stringify(secret))
    }
    for (const character of [" ", "\n", "\t", "\u0000", "\u007f", "\u00a0", "é", "🏦"]) {
      for (const secret of [`${rest}${character}`, `${character}${rest}`]) {
        assert.strictEqual(tag(secret), "ClientSecretMalformed", JSON.stringify(secret))
      }
    }
  })
})
