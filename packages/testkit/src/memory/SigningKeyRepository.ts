import { SigningKeyRepository } from "@lastro/domain/identity"
import { Effect, Layer, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { withEntry } from "./MemoryState.ts"

/** In-memory `SigningKeyRepository`. */
export const layer = Layer.effect(
  SigningKeyRepository,
  Effect.map(MemoryDatabase, ({ change, state }) =>
    SigningKeyRepository.of({
      all: Effect.map(state, ({ signingKeys }) => Array.from(signingKeys.values())),
      insert: (key, { onlyIfEmpty }) =>
        change((now) =>
          Result.succeed(
            onlyIfEmpty && now.signingKeys.size > 0
              ? now
              : { ...now, signingKeys: withEntry(now.signingKeys, key.kid, key) }
          )
        ),
      retire: (kid, at) =>
        change((now) => {
          const key = now.signingKeys.get(kid)
          return Result.succeed(
            key === undefined
              ? now
              : { ...now, signingKeys: withEntry(now.signingKeys, kid, { ...key, retired_at: at }) }
          )
        })
    }))
)
