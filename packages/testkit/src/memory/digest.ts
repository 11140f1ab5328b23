const prime = 0x100000001b3n
const offset = 0xcbf29ce484222325n

/**
 * A short text that stands for another in the fakes' state, so that no password, token or key lies there in full. FNV-1a
 * on 64 bits: anybody can find a text for a digest, so it is for tests only.
 */
export const digest = (text: string): string => {
  let hash = offset
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * prime)
  }
  return hash.toString(16).padStart(16, "0")
}
