import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type IdGenerator, type PasswordHasher, type SecretGenerator } from "@lastro/domain"
import { Layer } from "effect"
import { layerIdGenerator } from "../id/IdGenerator.ts"
import { layerSecretGenerator } from "../id/SecretGenerator.ts"
import { defaultCost, layerPasswordHasher } from "../tokens/PasswordHasher.ts"
import { type Argon2Cost } from "../tokens/phc.ts"

/** Ids, secrets and password hashes, made by node's own cryptography. `cost` is what a hash takes; OWASP's least unless given. */
export const layerSecurity = (
  cost: Argon2Cost = defaultCost
): Layer.Layer<IdGenerator | SecretGenerator | PasswordHasher> =>
  Layer.mergeAll(layerIdGenerator, layerSecretGenerator, layerPasswordHasher(cost)).pipe(
    Layer.provide(NodeCrypto.layer)
  )
