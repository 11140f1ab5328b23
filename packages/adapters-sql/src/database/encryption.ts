import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16

/**
 * Encrypts a text with AES-256-GCM (NIST SP 800-38D). Returns a random nonce (12 bytes), the tag (16 bytes) and the
 * ciphertext.
 */
export const encrypt = (key: Uint8Array, text: string, additionalData: string): Buffer => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(additionalData))
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** Decrypts the bytes of {@link encrypt}. Throws if the key, the bytes or the additional data are different. */
export const decrypt = (key: Uint8Array, bytes: Uint8Array, additionalData: string): string => {
  const tagEnd = nonceLength + tagLength
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(additionalData))
    .setAuthTag(bytes.subarray(nonceLength, tagEnd))
  return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString("utf8")
}
