import { Context, type Effect } from "effect"
import { type AccessClaims, type Unauthenticated } from "./AccessClaims.ts"

/** Signs and verifies access tokens. */
export class TokenSigner extends Context.Service<TokenSigner, {
  /** Signs a token with these claims, issued now, valid for `accessTokenSeconds`. */
  readonly sign: (claims: AccessClaims) => Effect.Effect<string>
  /** Verifies the signature, issuer, audience and expiry of a token and returns its claims. */
  readonly verify: (token: string) => Effect.Effect<AccessClaims, Unauthenticated>
}>()("@lastro/domain/identity/TokenSigner") {}
