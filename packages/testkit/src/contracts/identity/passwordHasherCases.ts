import { PasswordHasher } from "@lastro/domain/identity"
import { assert } from "chai"
import { Effect, Option, Redacted } from "effect"
import { type ContractCases } from "../suite/ContractSuite.ts"

const secret = Redacted.make("correct horse batterý staple 🔋")

/** Contract cases for PasswordHasher. */
export const passwordHasherCases: ContractCases<PasswordHasher> = (it) => {
  it("`verify` accepts the hashed secret and no other", () =>
    Effect.gen(function*() {
      const hasher = yield* PasswordHasher
      const hash = Option.some(yield* hasher.hash(secret))
      assert.isTrue(yield* hasher.verify(secret, hash))
      const plain = Redacted.value(secret)
      for (const other of ["", `${plain} `, plain.toUpperCase(), plain.slice(1), plain.normalize("NFD")]) {
        assert.isFalse(yield* hasher.verify(Redacted.make(other), hash), JSON.stringify(other))
      }
    }))

  it("`hash` uses a new salt each time: hashes of one secret differ, and all verify", () =>
    Effect.gen(function*() {
      const hasher = yield* PasswordHasher
      const hashes = [yield* hasher.hash(secret), yield* hasher.hash(secret)]
      assert.notStrictEqual(hashes[0], hashes[1])
      for (const hash of hashes) assert.isTrue(yield* hasher.verify(secret, Option.some(hash)))
    }))

  it("`hash` does not contain the secret", () =>
    Effect.gen(function*() {
      assert.notInclude(yield* (yield* PasswordHasher).hash(secret), Redacted.value(secret))
    }))

  it("`verify` rejects every secret when there is no hash", () =>
    Effect.gen(function*() {
      const hasher = yield* PasswordHasher
      assert.isFalse(yield* hasher.verify(secret, Option.none()))
      assert.isFalse(yield* hasher.verify(Redacted.make(""), Option.none()))
    }))
}
