import { type IdGenerator, type SigningKeyRepository, type TokenSigner } from "@lastro/domain"
import { Layer } from "effect"
import { type OptionRefused } from "../options/OptionRefused.ts"
import { type Issuer } from "./Issuer.ts"
import { type KeyRing, layerKeyRing } from "./KeyRing.ts"
import { layerTokenSigner, type TokenOptions } from "./TokenSigner.ts"

/** Access tokens, and the keys that sign them. Fails with `OptionRefused` where the issuer cannot be one. */
export const layerTokens = (
  options: TokenOptions
): Layer.Layer<TokenSigner | Issuer | KeyRing, OptionRefused, SigningKeyRepository | IdGenerator> =>
  Layer.provideMerge(layerTokenSigner(options), layerKeyRing)
