import { Redacted } from "effect"
import { type PasswordHash } from "./PasswordHasher.ts"

/** The origin of a client secret. Unknown for a hash stored by an earlier version. */
export type SecretOrigin = "generated" | "chosen" | "unknown"

/** The hash of a client secret, with the origin of the secret. */
export interface ClientSecretHash {
  readonly origin: SecretOrigin
  readonly hash: PasswordHash
}

/**
 * The stored form of a client secret is its hash after `generated:` or `chosen:`. A hash without a prefix has an
 * unknown origin.
 * @rule CLIENT-03
 */
export const readClientSecret = (stored: PasswordHash): ClientSecretHash => {
  const [, origin = "", hash = ""] = /^(generated|chosen):(.*)$/s.exec(stored) ?? []
  return origin === "generated" || origin === "chosen"
    ? { origin, hash: hash as PasswordHash }
    : { origin: "unknown", hash: stored }
}

/** Returns the stored form of a client secret ({@link readClientSecret}). */
export const storeClientSecret = ({ hash, origin }: ClientSecretHash): PasswordHash =>
  origin === "unknown" ? hash : `${origin}:${hash}` as PasswordHash

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Returns whether a secret looks like 256 random bits in base64url. False for at most 5 of 1000 generated secrets. */
const looksGenerated = (secret: string): boolean =>
  /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(secret) && new Set(secret).size >= 20 &&
  count(secret, /[A-Z]/g) >= 8 && count(secret, /[a-z]/g) >= 8 && count(secret, /[0-9]/g) >= 1

/**
 * A slow hash of unknown origin is replaced by a fast one after its secret was verified, if the secret looks generated.
 * A chosen secret keeps its slow hash, because it can be weak.
 * @rule CLIENT-04
 */
export const needsFastHash = ({ origin }: ClientSecretHash, verified: Redacted.Redacted): boolean =>
  origin === "unknown" && looksGenerated(Redacted.value(verified))
