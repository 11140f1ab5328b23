import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type CommonPasswords, type PasswordHasher } from "@lastro/domain/identity"
import { type IdGenerator, type SecretGenerator } from "@lastro/domain/ports"
import { Layer } from "effect"
import { layerIdGenerator, layerSecretGenerator } from "../id/generators.ts"
import { layerCommonPasswords } from "../tokens/CommonPasswords.ts"
import { defaultCost, layerPasswordHasher } from "../tokens/PasswordHasher.ts"
import { type Argon2Cost } from "../tokens/phc.ts"

/**
 * Provides ids, secrets and password hashes, all from Node's crypto, and the list of common passwords. Default of `cost`: the
 * OWASP minimum for argon2id.
 */
export const layerSecurity = (
  cost: Argon2Cost = defaultCost
): Layer.Layer<CommonPasswords | IdGenerator | SecretGenerator | PasswordHasher> =>
  Layer.mergeAll(layerIdGenerator, layerSecretGenerator, layerPasswordHasher(cost), layerCommonPasswords).pipe(
    Layer.provide(NodeCrypto.layer)
  )
