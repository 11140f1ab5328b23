// Ids, secrets, password hashes, signing keys and access tokens, without the HTTP API.
export { Argon2Missing } from "./argon2Engine.ts"
export { layerFileSigningKeys, UnreadableSigningKeys } from "./fileSigningKeys.ts"
export { defaultHashLimits, type HashQueueOptions } from "./hashTurns.ts"
export { generateSigningKey, KeyRing, layerKeyRing } from "./KeyRing.ts"
export { layerIdGenerator, layerSecretGenerator, layerSecurity } from "./layerSecurity.ts"
export { OptionRefused, parseIssuer } from "./parseIssuer.ts"
export { type Argon2Cost, defaultCost, layerCommonPasswords, layerPasswordHasher } from "./PasswordHasher.ts"
export { Issuer, layerTokens, layerTokenSigner, type TokenOptions } from "./TokenSigner.ts"
