import { ClientAddress, CommonPasswords, type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { Effect, Layer, Option, Redacted } from "effect"
import { Kdf, SecureRandom } from "effect/crypto"
import { createHash, timingSafeEqual } from "node:crypto"
import { argon2Engine } from "./argon2Engine.ts"
import { defaultHashLimits, type HashQueueOptions, makeHashTurns } from "./hashTurns.ts"

/** The cost parameters of argon2id. `memory` is in KiB. */
export interface Argon2Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** An argon2id hash with its cost and salt. */
export interface Argon2Hash {
  readonly cost: Argon2Cost
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "")

const phcSyntax =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/** Formats a hash as a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export const formatPhc = ({ cost: { memory, parallelism, passes }, hash, salt }: Argon2Hash): PasswordHash =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}` as PasswordHash

/** Parses a PHC string. None if it is not an argon2id hash. */
export const parsePhc = (text: PasswordHash): Option.Option<Argon2Hash> => {
  const [, memory, passes, parallelism, salt, hash] = phcSyntax.exec(text) ?? []
  return salt === undefined || hash === undefined
    ? Option.none()
    : Option.some({
      cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
      salt: Buffer.from(salt, "base64"),
      hash: Buffer.from(hash, "base64")
    })
}

/** The OWASP minimum for argon2id: 19 MiB, two passes. */
export const defaultCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 }

const hashBytes = 32
const saltBytes = 16
const utf8 = new TextEncoder()

/** Returns the parameters for computing a hash: the cost, the salt, and a hash of zeros with the wanted length. */
const emptyHash = (cost: Argon2Cost, salt: Uint8Array): Argon2Hash => ({ cost, salt, hash: new Uint8Array(hashBytes) })

/** Computes the SHA-256 of a generated secret. It has no salt, because every generated secret is unique. */
const generatedHash = (secret: Redacted.Redacted): PasswordHash =>
  `$sha256$${createHash("sha256").update(Redacted.value(secret)).digest("base64url")}` as PasswordHash

/** Compares two hashes in a time that depends only on their lengths. */
const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Uses argon2id for passwords and secrets that people choose, and SHA-256 for generated secrets. Verifies with the cost
 * stored in the hash. Computations of argon2id wait in a queue in which client addresses take turns.
 */
export const layerPasswordHasher = (
  cost: Argon2Cost = defaultCost,
  limits: HashQueueOptions = defaultHashLimits
): Layer.Layer<PasswordHasher, never, Kdf.Kdf | SecureRandom.SecureRandom> =>
  Layer.effect(
    PasswordHasher,
    Effect.gen(function*() {
      const deriveArgon2 = yield* argon2Engine(yield* Kdf.Kdf)
      const random = yield* SecureRandom.SecureRandom
      const withTurn = makeHashTurns(limits)

      const derive = (secret: Redacted.Redacted, hash: Argon2Hash) =>
        Effect.flatMap(
          ClientAddress,
          (address) => withTurn(address, deriveArgon2(utf8.encode(Redacted.value(secret)), hash))
        )

      /** The hash to verify if the principal does not exist. The verification fails, but takes the usual time. */
      const dummy = emptyHash(cost, yield* random.randomBytes(saltBytes))

      return PasswordHasher.of({
        hash: (secret) =>
          Effect.gen(function*() {
            const fresh = emptyHash(cost, yield* random.randomBytes(saltBytes))
            return formatPhc({ ...fresh, hash: yield* derive(secret, fresh) })
          }),
        hashGenerated: (secret) => Effect.sync(() => generatedHash(secret)),
        verify: (secret, stored) =>
          Effect.gen(function*() {
            const text = Option.getOrElse(stored, () => "")
            if (isEqual(Buffer.from(generatedHash(secret)), Buffer.from(text))) return true
            const known = Option.flatMap(stored, parsePhc)
            const expected = Option.getOrElse(known, () => dummy)
            const actual = yield* derive(secret, expected)
            return timingSafeEqual(actual, expected.hash) && Option.isSome(known)
          })
      })
    })
  )

/** Loads the 49 000 most common passwords of @zxcvbn-ts/language-common, in lower case. */
const loadPasswords = Effect.map(
  Effect.promise(() => import("@zxcvbn-ts/language-common")),
  ({ dictionary }) => new Set(dictionary["passwords-common"])
)

/** Loads the 70 000 words and names of @zxcvbn-ts/language-pt-br, folded. */
const loadWords = Effect.map(
  Effect.promise(() => import("@zxcvbn-ts/language-pt-br")),
  ({ dictionary }) => {
    const words = Object.values(dictionary).flat()
    return new Set<string>(words.map((word) => foldText(String(word))))
  }
)

/**
 * The most common passwords, and the common words and names of Brazil. Loading takes about 100 ms per list, so the
 * lists are loaded when the first password is checked.
 */
export const layerCommonPasswords: Layer.Layer<CommonPasswords> = Layer.effect(
  CommonPasswords,
  Effect.gen(function*() {
    const passwords = yield* Effect.cached(loadPasswords)
    const words = yield* Effect.cached(loadWords)
    return CommonPasswords.of({
      includes: (password) => {
        const folded = password.normalize("NFC").toLowerCase()
        return Effect.map(passwords, (list) => list.has(folded))
      },
      isWord: (word) => Effect.map(words, (list) => list.has(word))
    })
  })
)
