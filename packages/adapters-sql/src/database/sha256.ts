import { createHash } from "node:crypto"

/**
 * Computes the SHA-256 of a list of texts. The hashed bytes include the length of each text, so that no two lists have
 * the same bytes.
 */
export const sha256 = (...texts: ReadonlyArray<string>): Uint8Array => {
  const hash = createHash("sha256")
  for (const text of texts) {
    const bytes = Buffer.from(text)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest()
}
