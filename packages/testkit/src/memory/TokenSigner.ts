import { type AccessClaims, accessTokenSeconds, TokenSigner, Unauthenticated } from "@lastro/domain/identity"
import { Clock, Effect, Layer, Ref } from "effect"

interface Issued {
  readonly claims: AccessClaims
  readonly expiresAt: number
}

/**
 * In-memory `TokenSigner`. Tokens are unsigned, and only the signer that issued a token accepts it. Tokens expire by
 * Effect's clock.
 */
export const layer = Layer.effect(
  TokenSigner,
  Effect.map(Ref.make<ReadonlyMap<string, Issued>>(new Map()), (tokens) =>
    TokenSigner.of({
      sign: Effect.fnUntraced(function*(claims) {
        const expiresAt = (yield* Clock.currentTimeMillis) + accessTokenSeconds * 1000
        return yield* Ref.modify(tokens, (issued) => {
          const token = `memory-token-${String(issued.size + 1).padStart(12, "0")}`
          return [token, new Map(issued).set(token, { claims, expiresAt })]
        })
      }),
      verify: Effect.fnUntraced(function*(token) {
        const issued = (yield* Ref.get(tokens)).get(token)
        if (issued === undefined) return yield* new Unauthenticated({ reason: "signature" })
        return (yield* Clock.currentTimeMillis) < issued.expiresAt
          ? issued.claims
          : yield* new Unauthenticated({ reason: "expired" })
      })
    }))
)
