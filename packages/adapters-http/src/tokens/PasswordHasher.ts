import { PasswordHasher } from "@lastro/domain"
import { Effect, Layer, Option, Redacted, Semaphore } from "effect"
import { Kdf, SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { type Argon2Cost, type Argon2Hash, formatPhc, parsePhc } from "./phc.ts"

/** OWASP's least memory for argon2id: 19 MiB, two passes. */
export const defaultCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Hashes that are computed at once; with the default cost they hold 76 MiB together, whatever arrives. */
const concurrency = 4

const hashBytes = 32
const saltBytes = 16
const utf8 = new TextEncoder()

/** A hash that has still to be computed. */
const blank = (cost: Argon2Cost, salt: Uint8Array): Argon2Hash => ({ cost, salt, hash: new Uint8Array(hashBytes) })

/** Hashes of passwords and client secrets by argon2id. A hash made with another cost is verified with its own. */
export const layerPasswordHasher = (
  cost: Argon2Cost = defaultCost
): Layer.Layer<PasswordHasher, never, Kdf.Kdf | SecureRandom.SecureRandom> =>
  Layer.effect(
    PasswordHasher,
    Effect.gen(function*() {
      const kdf = yield* Kdf.Kdf
      const random = yield* SecureRandom.SecureRandom
      const turns = yield* Semaphore.make(concurrency)

      const derive = (secret: Redacted.Redacted, { cost, hash, salt }: Argon2Hash) =>
        turns.withPermits(1)(
          Effect.orDie(
            kdf.derive(Kdf.argon2id(cost), utf8.encode(Redacted.value(secret)), { salt, length: hash.length })
          )
        )

      /** Stands for the hash of a principal that does not exist: comparing with it costs the same and never succeeds. */
      const dummy = blank(cost, yield* random.randomBytes(saltBytes))

      return PasswordHasher.of({
        hash: (secret) =>
          Effect.gen(function*() {
            const fresh = blank(cost, yield* random.randomBytes(saltBytes))
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
