import { createHash } from "node:crypto"

/**
 * Computes the SHA-256 of a list of texts. The length of each text is part of the input, so different lists have
 * different inputs.
 */
export const sha256 = (...texts: ReadonlyArray<string>): Uint8Array => {
  const hash = createHash("sha256")
  for (const text of texts) {
    const bytes = Buffer.from(text)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest()
}
