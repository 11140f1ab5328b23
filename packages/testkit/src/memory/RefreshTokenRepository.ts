import { type RefreshToken, RefreshTokenRepository } from "@lastro/domain/identity"
import { type Timestamp } from "@lastro/domain/values"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { digest } from "./hashers.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { withEntry } from "./MemoryState.ts"

const keyOf = (token: Redacted.Redacted): string => digest(Redacted.value(token))

/** In-memory `RefreshTokenRepository`. */
export const layer = Layer.effect(
  RefreshTokenRepository,
  Effect.map(MemoryDatabase, ({ change, state }) => {
    const revoke = (ends: (token: RefreshToken) => boolean, at: Timestamp) =>
      change((now) =>
        Result.succeed({
          ...now,
          refreshTokens: new Map(
            Array.from(
              now.refreshTokens,
              ([key, token]) =>
                [key, token.revoked_at === null && ends(token) ? { ...token, revoked_at: at } : token] as const
            )
          )
        })
      )
    return RefreshTokenRepository.of({
      insert: (token, record) =>
        change((now) => Result.succeed({ ...now, refreshTokens: withEntry(now.refreshTokens, keyOf(token), record) })),
      findForUpdate: (token) =>
        Effect.map(state, ({ refreshTokens }) => Option.fromUndefinedOr(refreshTokens.get(keyOf(token)))),
      spend: (token, at, client) =>
        change((now) => {
          const stored = now.refreshTokens.get(keyOf(token))
          return Result.succeed(
            stored === undefined
              ? now
              : {
                ...now,
                refreshTokens: withEntry(now.refreshTokens, keyOf(token), { ...stored, spent_at: at, spent_by: client })
              }
          )
        }),
      revokeFamily: (family_id, at) => revoke((token) => token.family_id === family_id, at),
      revokeUser: (user, at) => revoke((token) => token.user_id === user, at)
    })
  })
)
