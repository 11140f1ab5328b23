import { PasswordHasher } from "@lastro/domain/identity"
import { Effect, Layer, Option, Redacted, Semaphore } from "effect"
import { Kdf, SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { type Argon2Cost, type Argon2Hash, formatPhc, parsePhc } from "./phc.ts"

/** The OWASP minimum for argon2id: 19 MiB, two passes. */
export const defaultCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Maximum number of concurrent hash computations. At the default cost they use 76 MiB together. */
const concurrency = 4

const hashBytes = 32
const saltBytes = 16
const utf8 = new TextEncoder()

/** Makes a record with this cost and salt and a hash of zeros. It serves as the parameters of a hash computation. */
const emptyHash = (cost: Argon2Cost, salt: Uint8Array): Argon2Hash => ({ cost, salt, hash: new Uint8Array(hashBytes) })

/** Hashes passwords and client secrets with argon2id. Verification uses the cost stored in the hash. */
export const layerPasswordHasher = (
  cost: Argon2Cost = defaultCost
): Layer.Layer<PasswordHasher, never, Kdf.Kdf | SecureRandom.SecureRandom> =>
  Layer.effect(
    PasswordHasher,
    Effect.gen(function*() {
      const kdf = yield* Kdf.Kdf
      const random = yield* SecureRandom.SecureRandom
      const permits = yield* Semaphore.make(concurrency)

      const derive = (secret: Redacted.Redacted, { cost, hash, salt }: Argon2Hash) =>
        permits.withPermits(1)(
          Effect.orDie(
            kdf.derive(Kdf.argon2id(cost), utf8.encode(Redacted.value(secret)), { salt, length: hash.length })
          )
        )

      /** The hash that is verified if the principal does not exist. Verification then takes the usual time, but always fails. */
      const dummy = emptyHash(cost, yield* random.randomBytes(saltBytes))

      return PasswordHasher.of({
        hash: (secret) =>
          Effect.gen(function*() {
            const fresh = emptyHash(cost, yield* random.randomBytes(saltBytes))
            return formatPhc({ ...fresh, hash: yield* derive(secret, fresh) })
          }),
        verify: (secret, stored) =>
          Effect.gen(function*() {
            const known = Option.flatMap(stored, parsePhc)
            const expected = Option.getOrElse(known, () => dummy)
            const actual = yield* derive(secret, expected)
            return timingSafeEqual(actual, expected.hash) && Option.isSome(known)
          })
      })
    })
  )
