import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

/** AES-256-GCM (NIST SP 800-38D) with a nonce of 12 bytes and a tag of 16, both kept before the sealed text. */
const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
const keyLength = 32

/** A key derived from a secret by HKDF-SHA-256 (RFC 5869), for one use and one context only. */
const derive = (secret: string, context: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, context, "lastro idempotent answer v1", keyLength))

/** Seals a text so that only who knows the secret and the context can read it. */
export const seal = (secret: string, context: string, text: string): Uint8Array => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, derive(secret, context), nonce)
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Opens what {@link seal} sealed; throws when secret, context or a single bit is another. */
export const unseal = (secret: string, context: string, bytes: Uint8Array): string => {
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv(algorithm, derive(secret, context), nonce, { authTagLength: tagLength })
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString("utf8")
}
