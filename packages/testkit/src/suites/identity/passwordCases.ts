import { CommonPasswords, type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { assert } from "chai"
import { Effect, Option, Redacted, Result } from "effect"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { repeatInParallel } from "../suite/transactions.ts"

const secret = Redacted.make("correct horse batterý staple 🔋")

/** Contract cases for PasswordHasher. */
export const passwordHasherCases: ContractCases<PasswordHasher> = (it) => {
  it("`verify` accepts the hashed secret and no other", function*() {
    const hasher = yield* PasswordHasher
    const hash = Option.some(yield* hasher.hash(secret))
    assert.isTrue(yield* hasher.verify(secret, hash))
    const plain = Redacted.value(secret)
    for (const other of ["", `${plain} `, plain.toUpperCase(), plain.slice(1), plain.normalize("NFD")]) {
      assert.isFalse(yield* hasher.verify(Redacted.make(other), hash), JSON.stringify(other))
    }
  })

  it("`verify` reads the whole secret: a difference after 72 bytes or after a NUL counts", function*() {
    const hasher = yield* PasswordHasher
    for (const start of ["x".repeat(72), "é".repeat(36), "x".repeat(127), "nul\u0000"]) {
      const hash = Option.some(yield* hasher.hash(Redacted.make(`${start}a`)))
      assert.isTrue(yield* hasher.verify(Redacted.make(`${start}a`), hash))
      for (const other of [`${start}b`, start, `${start}aa`]) {
        assert.isFalse(yield* hasher.verify(Redacted.make(other), hash), JSON.stringify(other))
      }
    }
  })

  it("`verify` computes as much for an absent or fast hash as for a slow one", function*() {
    const hasher = yield* PasswordHasher
    const wrong = Redacted.make("not the secret")
    const hashes = [
      Option.some(yield* hasher.hash(secret)),
      Option.some(yield* hasher.hashGenerated(secret)),
      Option.none<PasswordHash>()
    ]
    const shortest = hashes.map(() => Number.POSITIVE_INFINITY)
    for (let round = 0; round < 20; round++) {
      for (const [index, hash] of hashes.entries()) {
        const began = performance.now()
        assert.isFalse(yield* hasher.verify(wrong, hash))
        shortest[index] = Math.min(shortest[index] ?? 0, performance.now() - began)
      }
    }
    // The shortest of many runs hardly depends on the load of the machine. It is shorter if an adapter skips the
    // computation.
    const [slow = 0, fast = 0, absent = 0] = shortest
    assert.isAbove(fast, slow / 3, "a fast hash")
    assert.isAbove(absent, slow / 3, "no hash")
  })

  it("`hash` uses a new salt each time: hashes of one secret differ, and all verify", function*() {
    const hasher = yield* PasswordHasher
    const hashes = [yield* hasher.hash(secret), yield* hasher.hash(secret)]
    assert.notStrictEqual(hashes[0], hashes[1])
    for (const hash of hashes) assert.isTrue(yield* hasher.verify(secret, Option.some(hash)))
  })

  it("`hash` and `hashGenerated` do not contain the secret", function*() {
    const hasher = yield* PasswordHasher
    assert.notInclude(yield* hasher.hash(secret), Redacted.value(secret))
    assert.notInclude(yield* hasher.hashGenerated(secret), Redacted.value(secret))
  })

  it("`verify` accepts a generated secret and no other", function*() {
    const hasher = yield* PasswordHasher
    const generated = Redacted.make("nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4AI")
    const hash = Option.some(yield* hasher.hashGenerated(generated))
    assert.isTrue(yield* hasher.verify(generated, hash))
    const plain = Redacted.value(generated)
    for (const other of ["", `${plain} `, plain.toUpperCase(), plain.slice(1), Option.getOrThrow(hash)]) {
      assert.isFalse(yield* hasher.verify(Redacted.make(other), hash), JSON.stringify(other))
    }
  })

  it("`hash` and `verify` return a result or fail with Busy, however many run", function*() {
    const hasher = yield* PasswordHasher
    const hash = Option.some(yield* hasher.hash(secret))
    const results = yield* repeatInParallel(
      20,
      Effect.result(Effect.all([hasher.verify(secret, hash), Effect.as(hasher.hash(secret), true)]))
    )
    for (const result of results) {
      if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "Busy")
      else assert.deepStrictEqual(result.success, [true, true])
    }
  })

  it("`verify` rejects every secret when there is no hash", function*() {
    const hasher = yield* PasswordHasher
    assert.isFalse(yield* hasher.verify(secret, Option.none()))
    assert.isFalse(yield* hasher.verify(Redacted.make(""), Option.none()))
  })
}

/** Contract cases for CommonPasswords. */
export const commonPasswordsCases: ContractCases<CommonPasswords> = (it) => {
  it("`includes` returns true for a common password, in any letter case", function*() {
    const { includes } = yield* CommonPasswords
    for (const common of ["1q2w3e4r5t6y", "administrator", "Administrator", "QWERTY123456"]) {
      assert.isTrue(yield* includes(common), common)
    }
  })

  it("`isWord` returns true for common words and names of Brazil, without accents, and false for other texts", function*() {
    const { isWord } = yield* CommonPasswords
    for (const word of ["senha", "mudar", "flamengo", "brasil"]) assert.isTrue(yield* isWord(word), word)
    for (const other of ["", "Senha", "senha1", "sambaquieiro"]) assert.isFalse(yield* isWord(other), other)
  })

  it("`includes` returns false for any other password", function*() {
    const { includes } = yield* CommonPasswords
    const generated = "nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4AI"
    for (const other of ["", "coração é sempre ágil", "administrator ", generated]) {
      assert.isFalse(yield* includes(other), other)
    }
  })
}
