import { type IdGenerator, type SigningKeyRepository, type TokenSigner } from "@lastro/domain"
import { Layer } from "effect"
import { type KeyRing, layerKeyRing } from "./KeyRing.ts"
import { layerTokenSigner } from "./TokenSigner.ts"

/** Whose tokens are signed, and for whom. */
export interface TokenOptions {
  /** The URL that clients reach the API below, without a trailing slash. */
  readonly issuer: string
  /** Who the tokens are meant for; the issuer itself unless given. */
  readonly audience?: string | undefined
}

/** Access tokens, and the keys that sign them. */
export const layerTokens = (
  { audience, issuer }: TokenOptions
): Layer.Layer<TokenSigner | KeyRing, never, SigningKeyRepository | IdGenerator> =>
  Layer.provideMerge(layerTokenSigner({ issuer, audience: audience ?? issuer }), layerKeyRing)
