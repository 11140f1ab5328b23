/** Mixes 32 bits so that they look random and every number gives another one (the last steps of MurmurHash3). */
export const mixedBits = (bits: number): number => {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
