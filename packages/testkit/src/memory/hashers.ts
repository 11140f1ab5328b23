import { PersonalDataHasher } from "@lastro/domain/audit"
import { CommonPasswords, type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { CursorSeal } from "@lastro/domain/ports"
import { Effect, Layer, Option, Redacted, Ref } from "effect"

const prime = 0x100000001b3n
const offset = 0xcbf29ce484222325n

/**
 * Hashes a text with 64-bit FNV-1a, so that no fake stores a password, token or key in plain text. Not secure: for
 * tests only.
 */
export const digest = (text: string): string => {
  let hash = offset
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * prime)
  }
  return hash.toString(16).padStart(16, "0")
}

const hashOf = (salt: string, secret: Redacted.Redacted): PasswordHash =>
  `$not-secure$${salt}$${digest(`${salt}$${Redacted.value(secret)}`)}` as PasswordHash

const generatedHashOf = (secret: Redacted.Redacted): PasswordHash =>
  `$not-secure-generated$${digest(Redacted.value(secret))}` as PasswordHash

/** Hashes passwords in microseconds, with a counter as salt. Not secure: for tests only. */
export const layerPasswordHasher = Layer.effect(
  PasswordHasher,
  Effect.map(Ref.make(0), (count) =>
    PasswordHasher.of({
      hash: (secret) => Effect.map(Ref.updateAndGet(count, (last) => last + 1), (salt) => hashOf(String(salt), secret)),
      hashGenerated: (secret) => Effect.sync(() => generatedHashOf(secret)),
      verify: (secret, hash) =>
        Effect.sync(() => {
          // The hash is computed even if there is no stored hash, so that both cases take the same time.
          const stored: string = Option.getOrElse(hash, () => "")
          return [generatedHashOf(secret), hashOf(stored.split("$")[2] ?? "", secret)].some((hash) => hash === stored)
        })
    }))
)

const common = new Set(["1q2w3e4r5t6y", "administrator", "qwerty123456", "unbelievable"])

const words = new Set(["brasil", "flamengo", "mudar", "senha"])

/** Knows only four of the most common passwords, and four common words. */
export const layerCommonPasswords = Layer.succeed(
  CommonPasswords,
  CommonPasswords.of({
    includes: (password) => Effect.sync(() => common.has(password.toLowerCase())),
    isWord: (word) => Effect.sync(() => words.has(word))
  })
)

/** Hashes personal data without a key. Not secure: for tests only. */
export const layerPersonalDataHasher = Layer.succeed(
  PersonalDataHasher,
  PersonalDataHasher.of({ hash: (text) => Effect.sync(() => `not-secure-${digest(text)}`) })
)

const encodeCursor = (text: string, context: string): string =>
  Buffer.from(`${digest(`${context}\n${text}`)}${text}`, "utf8").toString("base64url")

/** Encodes cursors with a checksum and without a key. Not secure: for tests only. */
export const layerCursorSeal = Layer.succeed(
  CursorSeal,
  CursorSeal.of({
    seal: (text, context) => Effect.sync(() => encodeCursor(text, context)),
    open: (sealed, context) =>
      Effect.sync(() => {
        const text = Buffer.from(sealed, "base64url").toString("utf8").slice(digest("").length)
        return encodeCursor(text, context) === sealed ? Option.some(text) : Option.none()
      })
  })
)
