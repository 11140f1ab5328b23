import { type SigningKey, SigningKeyRepository } from "@lastro/domain/identity"
import { timestampOf } from "@lastro/domain/values"
import { Effect, Layer, Schema } from "effect"
import { calculateJwkThumbprint } from "jose"
import { importSigningKey, PrivateJwk } from "./KeyRing.ts"

const Jwk = Schema.Struct({
  ...PrivateJwk.fields,
  kid: Schema.optionalKey(Schema.NonEmptyString),
  use: Schema.optionalKey(Schema.Unknown),
  alg: Schema.optionalKey(Schema.Unknown)
})
type Jwk = typeof Jwk.Type

const decodeJwkSet = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ keys: Schema.NonEmptyArray(Jwk) }))
)

/** The text is not a JWK set (RFC 7517 §5) of ES256 key pairs. */
export class UnreadableSigningKeys extends Schema.TaggedError<UnreadableSigningKeys>()("UnreadableSigningKeys", {
  /** Completes a sentence that starts with the name of the setting. Contains positions, but no part of a key. */
  problem: Schema.String
}) {
  override get message(): string {
    return `The signing keys ${this.problem}`
  }
}

const refuse = (problem: string) => Effect.fail(new UnreadableSigningKeys({ problem }))

const mustBeJwkSet = "must be a JWK set of private ES256 keys"

/**
 * Checks the declared purpose of a key. A key for encryption or for another algorithm must not sign (RFC 7517 §4.2,
 * §4.4).
 */
const checkPurpose = ({ alg, use }: Jwk, position: number) => {
  if (use !== undefined && use !== "sig") return refuse(`${mustBeJwkSet}: key ${position} has a "use" other than "sig"`)
  return alg !== undefined && alg !== "ES256"
    ? refuse(`${mustBeJwkSet}: key ${position} has an "alg" other than "ES256"`)
    : Effect.void
}

const checkKids = (kids: ReadonlyArray<string>) => {
  const second = kids.findIndex((kid, index) => kids.indexOf(kid) < index)
  if (second < 0) return Effect.void
  const first = kids.indexOf(kids[second] ?? "")
  return refuse(`must have a different "kid" for each key: keys ${first + 1} and ${second + 1} have the same`)
}

/** Reads the keys of a JWK set. The first key signs; all keys verify. */
const readKeys = Effect.fnUntraced(function*(text: string) {
  const { keys } = yield* Effect.catch(decodeJwkSet(text), () => refuse(mustBeJwkSet))
  const read = yield* Effect.forEach(keys, (key, index) => {
    const { alg: _, kid, use: __, ...jwk } = key
    return Effect.andThen(
      checkPurpose(key, index + 1),
      Effect.map(
        Effect.promise(() => calculateJwkThumbprint(jwk)),
        (thumbprint): SigningKey => ({
          kid: kid ?? thumbprint,
          private_jwk: JSON.stringify(jwk),
          // The newest key signs, so the first key of the set gets the latest creation time.
          created_at: timestampOf((keys.length - index) * 1000),
          retired_at: null
        })
      )
    )
  })
  yield* checkKids(read.map(({ kid }) => kid))
  yield* Effect.forEach(
    read,
    (key, index) =>
      Effect.catch(importSigningKey(key), () => refuse(`${mustBeJwkSet}: key ${index + 1} is not a valid key pair`))
  )
  return read
})

/**
 * Reads the signing keys from the text of a private JWK set, for operators who store keys outside the database. The
 * first key signs; all keys verify. To rotate, add the new key in second place, later move it to first place, and then
 * remove the old key.
 */
export const layerFileSigningKeys = (
  text: string
): Layer.Layer<SigningKeyRepository, UnreadableSigningKeys> =>
  Layer.effect(
    SigningKeyRepository,
    Effect.gen(function*() {
      const keys = yield* readKeys(text)
      const readOnly = Effect.die(new Error("The signing keys come from the configuration and are read-only."))
      return SigningKeyRepository.of({
        all: Effect.succeed(keys),
        lock: Effect.void,
        insert: (_, { onlyIfEmpty }) => onlyIfEmpty ? Effect.void : readOnly,
        retire: () => readOnly,
        remove: () => readOnly
      })
    })
  )
