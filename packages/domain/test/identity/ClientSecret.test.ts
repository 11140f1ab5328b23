import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { needsFastHash, readClientSecret, storeClientSecret } from "../../src/identity/ClientSecret.ts"
import { type PasswordHash } from "../../src/identity/PasswordHasher.ts"

const hash = fc.oneof(
  fc.constantFrom("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAA", "$sha256$AAAA", ""),
  fc.string().map((text) => `$${text}`)
).map((text) => text as PasswordHash)

const origin = fc.constantFrom("generated" as const, "chosen" as const, "unknown" as const)

const isReplaced = (from: "generated" | "chosen" | "unknown", secret: string): boolean =>
  needsFastHash({ origin: from, hash: "$argon2id$" as PasswordHash }, Redacted.make(secret))

const generated = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) =>
  Buffer.from(bytes).toString("base64url")
)

describe("ClientSecret", () => {
  it("CLIENT-03 a stored secret is read as it was stored", () =>
    fc.assert(fc.property(hash, origin, (hash, origin) => {
      assert.deepStrictEqual(readClientSecret(storeClientSecret({ hash, origin })), { hash, origin })
    })))

  it("CLIENT-04 only a secret of unknown origin is replaced", () =>
    fc.assert(fc.property(fc.oneof(generated, fc.string()), (secret) => {
      assert.isFalse(isReplaced("generated", secret))
      assert.isFalse(isReplaced("chosen", secret))
    })))

  it("CLIENT-04 a secret that looks chosen keeps its slow hash", () => {
    for (
      const secret of [
        "a-secret-for-the-tests",
        "this-is-the-client-secret-of-lastro-in-prod",
        "My-client-secret-for-lastro-production-2024",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA",
        "0123456789012345678901234567890123456789012",
        "nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4A",
        "nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4AI="
      ]
    ) assert.isFalse(isReplaced("unknown", secret), secret)
  })

  it("CLIENT-04 of 1000 generated secrets of unknown origin, all but a few are replaced", () => {
    // Bytes that are evenly distributed, unlike those of fast-check, which prefers edge cases.
    let state = 1
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }
    const secrets = Array.from(
      { length: 1_000 },
      () => Buffer.from(Uint8Array.from({ length: 32 }, next)).toString("base64url")
    )
    assert.isAtLeast(secrets.filter((secret) => isReplaced("unknown", secret)).length, 990)
  })
})
