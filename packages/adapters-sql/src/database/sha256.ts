import { createHash } from "node:crypto"

/** SHA-256 of texts, each told apart from the next by its length. */
export const sha256 = (...texts: ReadonlyArray<string>): Uint8Array => {
  const hash = createHash("sha256")
  for (const text of texts) {
    const bytes = Buffer.from(text)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest()
}
