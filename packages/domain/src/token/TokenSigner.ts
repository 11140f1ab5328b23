import { Context, type Effect } from "effect"
import { type AccessClaims, type Unauthenticated } from "./AccessClaims.ts"

/** Signs access tokens and reads them back. */
export class TokenSigner extends Context.Service<TokenSigner, {
  /** A signed token with these claims, issued now, that lives for `accessTokenSeconds`. */
  readonly sign: (claims: AccessClaims) => Effect.Effect<string>
  /** The claims of a token this signer issued, if the signature holds and it has not expired. */
  readonly verify: (token: string) => Effect.Effect<AccessClaims, Unauthenticated>
}>()("@lastro/domain/token/TokenSigner") {}
