import { now, publishedKeysAt, signingKeyAt, SigningKeyRepository, timestampOf } from "@lastro/domain"
import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import { type PublicJwk } from "../api/SystemApi.ts"
import { generateSigningKey } from "./generateSigningKey.ts"
import { type ImportedKey, importSigningKey } from "./importSigningKey.ts"

/** Milliseconds after which the keys are read again: a rotation is seen by every node well within its lead. */
const staleAfterMs = 60_000

/** Milliseconds between two readings that unknown key ids ask for: whoever invents ids cannot wear the repository out. */
const unknownAfterMs = 5_000

/** The signing keys, imported and kept in memory. */
export class KeyRing extends Context.Service<KeyRing, {
  /** The key that signs now. */
  readonly signing: Effect.Effect<ImportedKey>
  /** The key with this id, if tokens that it signed may still be in use. */
  readonly verifying: (kid: string) => Effect.Effect<Option.Option<ImportedKey>>
  /** The public halves of all keys whose tokens may be in use, or soon will. */
  readonly published: Effect.Effect<ReadonlyArray<PublicJwk>>
}>()("@lastro/adapters-http/tokens/KeyRing") {}

interface Loaded {
  readonly at: number
  readonly keys: ReadonlyMap<string, ImportedKey>
}

/** The keys of the repository. Where there is none yet, the first one is made; nodes that start at once agree on it. */
export const layerKeyRing: Layer.Layer<KeyRing, never, SigningKeyRepository> = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const repository = yield* SigningKeyRepository
    const turn = yield* Semaphore.make(1)
    let loaded: Loaded = { at: Number.NEGATIVE_INFINITY, keys: new Map() }

    const records = Effect.gen(function*() {
      const stored = yield* repository.all
      if (stored.length > 0) return stored
      yield* repository.insert(yield* generateSigningKey, { onlyIfEmpty: true })
      return yield* repository.all
    })

    const load = Effect.gen(function*() {
      const keys = yield* Effect.forEach(yield* records, (record) => {
        const known = loaded.keys.get(record.kid)
        return known === undefined ? Effect.orDie(importSigningKey(record)) : Effect.succeed({ ...known, record })
      })
      loaded = { at: yield* Clock.currentTimeMillis, keys: new Map(keys.map((key) => [key.record.kid, key])) }
    })

    /** The keys, read at most `age` milliseconds ago. */
    const within = (age: number) =>
      Effect.clockWith((clock) => {
        const isFresh = () => clock.currentTimeMillisUnsafe() - loaded.at < age
        return isFresh()
          ? Effect.sync(() => loaded)
          : turn.withPermits(1)(
            Effect.flatMap(Effect.suspend(() => isFresh() ? Effect.void : load), () => Effect.sync(() => loaded))
          )
      })

    const live = Effect.map(within(staleAfterMs), ({ keys }) => [...keys.values()])

    return KeyRing.of({
      signing: Effect.gen(function*() {
        const keys = yield* live
        const chosen = signingKeyAt(keys.map(({ record }) => record), yield* now)
        const key = Option.flatMap(
          chosen,
          ({ kid }) => Option.fromUndefinedOr(keys.find((one) => one.record.kid === kid))
        )
        return yield* Effect.orDie(Effect.fromOption(key))
      }),
      verifying: (kid) =>
        Effect.clockWith((clock) => {
          const judged = ({ keys }: Loaded) => {
            const held = keys.get(kid)
            const at = timestampOf(clock.currentTimeMillisUnsafe())
            return Option.filter(Option.fromUndefinedOr(held), ({ record }) => publishedKeysAt([record], at).length > 0)
          }
          return Effect.flatMap(
            within(staleAfterMs),
            (fresh) => fresh.keys.has(kid) ? Effect.succeed(judged(fresh)) : Effect.map(within(unknownAfterMs), judged)
          )
        }),
      published: Effect.gen(function*() {
        const keys = yield* live
        const kids = new Set(publishedKeysAt(keys.map(({ record }) => record), yield* now).map(({ kid }) => kid))
        return keys.filter(({ record }) => kids.has(record.kid)).map(({ published }) => published)
      })
    })
  })
)
