import { publishedKeysAt, type SigningKey, signingKeyAt, SigningKeyRepository } from "@lastro/domain/identity"
import { UnitOfWork } from "@lastro/domain/ports"
import { currentTimestamp, monotonicMillis, timestampOf } from "@lastro/domain/values"
import { type Clock, Context, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import { type PublicJwk } from "../api/SystemApi.ts"

/** An ES256 key pair as a JWK (RFC 7518 §6.2). */
export const PrivateJwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  d: Schema.String
})

const decodePrivateJwk = Schema.decodeUnknownEffect(Schema.fromJsonString(PrivateJwk))

/** An imported signing key, with its published public key. */
export interface ImportedKey {
  readonly record: SigningKey
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly published: PublicJwk
}

/** A signing key that is not an ES256 key pair. The error contains only the id of the key. */
export class UnusableSigningKey extends Schema.TaggedError<UnusableSigningKey>()("UnusableSigningKey", {
  kid: Schema.String
}) {}

export const importSigningKey = (record: SigningKey): Effect.Effect<ImportedKey, UnusableSigningKey> =>
  Effect.gen(function*() {
    const { crv, d, kty, x, y } = yield* decodePrivateJwk(record.private_jwk)
    const { privateKey, publicKey } = yield* Effect.tryPromise(async () => ({
      privateKey: await importJWK({ kty, crv, x, y, d }, "ES256"),
      publicKey: await importJWK({ kty, crv, x, y }, "ES256")
    }))
    const published: PublicJwk = { kty, crv, x, y, kid: record.kid, alg: "ES256", use: "sig" }
    return { record, privateKey, publicKey, published }
  }).pipe(Effect.mapError(() => new UnusableSigningKey({ kid: record.kid })))

/** Generates a key whose id does not start with a hyphen, because a command would read such an id as a flag. */
const generateJwk = async (): Promise<{ readonly jwk: JWK; readonly kid: string }> => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return kid.startsWith("-") ? generateJwk() : { jwk, kid }
}

/**
 * Generates an ES256 key pair for access tokens. The key is live immediately. Its `kid` is its thumbprint (RFC 7638),
 * which does not start with a hyphen.
 */
export const generateSigningKey: Effect.Effect<SigningKey> = Effect.gen(function*() {
  const { jwk, kid } = yield* Effect.promise(generateJwk)
  return { kid, private_jwk: JSON.stringify(jwk), created_at: yield* currentTimestamp, retired_at: null }
})

/**
 * Maximum age of the cached keys in milliseconds. It is short enough that every node rejects a revoked key within 10 s,
 * and long enough that invented key ids cause no load on the database.
 */
const maxAgeMs = 5_000

/** The imported signing keys, cached in memory for at most 5 s. */
export class KeyRing extends Context.Service<KeyRing, {
  /** The key that signs new tokens. */
  readonly signing: Effect.Effect<ImportedKey>
  /**
   * Finds the key with this id. Returns none if the id is unknown, if the key is revoked, or if it is retired and all
   * tokens that it signed have expired.
   */
  readonly verifying: (kid: string, clock: Clock.Clock) => Effect.Effect<Option.Option<ImportedKey>>
  /**
   * The public keys of all live keys, including a new key that does not sign yet, and of retired keys until all tokens
   * that they signed have expired.
   */
  readonly published: Effect.Effect<ReadonlyArray<PublicJwk>>
}>()("@lastro/adapters-http/security/KeyRing") {}

interface Loaded {
  /** The monotonic time in milliseconds. If the wall clock were used and set back, a revoked key would stay valid. */
  readonly at: number
  readonly keys: ReadonlyMap<string, ImportedKey>
}

/**
 * Loads the keys of the repository. Generates the first key if there is none. Nodes that start at the same time use the
 * same key.
 */
export const layerKeyRing: Layer.Layer<KeyRing, never, SigningKeyRepository> = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const repository = yield* SigningKeyRepository
    const isInTransaction = Option.match(yield* Effect.serviceOption(UnitOfWork), {
      onNone: () => Effect.succeed(false),
      onSome: ({ isOpen }) => isOpen
    })
    const lock = yield* Semaphore.make(1)
    let loaded: Loaded = { at: Number.NEGATIVE_INFINITY, keys: new Map() }

    const records = Effect.gen(function*() {
      const stored = yield* repository.all
      if (stored.length > 0) return stored
      yield* repository.insert(yield* generateSigningKey, { onlyIfEmpty: true })
      return yield* repository.all
    })

    /** Loads the keys. Their age counts from the start of the read, because a key may be revoked during a slow read. */
    const load = Effect.gen(function*() {
      const at = yield* monotonicMillis
      const keys = yield* Effect.forEach(yield* records, (record) => {
        const known = loaded.keys.get(record.kid)
        return known === undefined ? Effect.orDie(importSigningKey(record)) : Effect.succeed({ ...known, record })
      })
      loaded = { at, keys: new Map(keys.map((key) => [key.record.kid, key])) }
    })

    /** Returns the keys. Reloads them if they are older than `age` milliseconds. */
    const loadedWithin = (age: number, clock: Clock.Clock): Effect.Effect<Loaded> => {
      const isFresh = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n) - loaded.at < age
      if (isFresh()) return Effect.succeed(loaded)
      const loadIfOld = Effect.suspend(() => isFresh() ? Effect.void : load)
      // The second load happens only if the first took longer than `age`.
      const loadTwice = Effect.repeat(loadIfOld, { times: 1 })
      const loading = Effect.map(loadTwice, () => loaded)
      // In a transaction, do not wait for the lock: the fiber with the lock may wait for this transaction's connection.
      return Effect.flatMap(isInTransaction, (open) => open ? loading : lock.withPermits(1)(loading))
    }

    const live = Effect.clockWith((clock) =>
      Effect.map(loadedWithin(maxAgeMs, clock), ({ keys }) => [...keys.values()])
    )

    return KeyRing.of({
      signing: Effect.gen(function*() {
        const keys = yield* live
        const chosen = signingKeyAt(keys.map(({ record }) => record), yield* currentTimestamp)
        const key = keys.find(({ record }) => record.kid === Option.getOrUndefined(chosen)?.kid)
        return yield* Effect.orDie(Effect.fromOption(Option.fromUndefinedOr(key)))
      }),
      verifying: (kid, clock) => {
        const findValid = ({ keys }: Loaded) => {
          const key = keys.get(kid)
          const at = timestampOf(clock.currentTimeMillisUnsafe())
          return Option.filter(Option.fromUndefinedOr(key), ({ record }) => publishedKeysAt([record], at).length > 0)
        }
        return Effect.mapEager(loadedWithin(maxAgeMs, clock), findValid)
      },
      published: Effect.gen(function*() {
        const keys = yield* live
        const kids = new Set(
          publishedKeysAt(keys.map(({ record }) => record), yield* currentTimestamp).map(({ kid }) => kid)
        )
        return keys.filter(({ record }) => kids.has(record.kid)).map(({ published }) => published)
      })
    })
  })
)
