import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type CommonPasswords, type PasswordHasher } from "@lastro/domain/identity"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { defaultHashLimits, type HashQueueOptions } from "./hashTurns.ts"
import { type Argon2Cost, defaultCost, layerCommonPasswords, layerPasswordHasher } from "./PasswordHasher.ts"

/** Number of random bytes that are generated at a time, enough for 256 ids. It takes hardly longer than for one id. */
const poolBytes = 256 * 16

/**
 * Makes ids from random bytes that are generated in advance. The bytes of an id are taken in one synchronous step, so
 * no other id can get the same bytes.
 */
const pooledIds = (random: SecureRandom.SecureRandom["Service"]): Effect.Effect<string> => {
  let pool = new Uint8Array(0)
  let used = 0
  return SecureRandom.make((size) => {
    if (used + size > pool.length) {
      pool = Uint8Array.from(Effect.runSync(random.randomBytes(poolBytes)))
      used = 0
    }
    return pool.slice(used, used += size)
  }).uuidV7()
}

/** Generates ids as UUIDs version 7 (RFC 9562). */
export const layerIdGenerator: Layer.Layer<IdGenerator, never, SecureRandom.SecureRandom> = Layer.effect(
  IdGenerator,
  Effect.map(SecureRandom.SecureRandom, (random) => IdGenerator.of({ next: pooledIds(random) }))
)

const secretBytes = 32

/** Generates secrets of 256 random bits, encoded in base64url. */
export const layerSecretGenerator: Layer.Layer<SecretGenerator, never, SecureRandom.SecureRandom> = Layer.effect(
  SecretGenerator,
  Effect.map(SecureRandom.SecureRandom, (random) =>
    SecretGenerator.of({
      next: Effect.map(random.randomBytes(secretBytes), (secret) => Redacted.make(Base64Url.encode(secret)))
    }))
)

/**
 * Provides ids, secrets and password hashes from Node's crypto, and the list of common passwords. Default of `cost`:
 * the OWASP minimum for argon2id.
 */
export const layerSecurity = (
  cost: Argon2Cost = defaultCost,
  limits: HashQueueOptions = defaultHashLimits
): Layer.Layer<CommonPasswords | IdGenerator | SecretGenerator | PasswordHasher> =>
  Layer.mergeAll(layerIdGenerator, layerSecretGenerator, layerPasswordHasher(cost, limits), layerCommonPasswords).pipe(
    Layer.provide(NodeCrypto.layer)
  )
