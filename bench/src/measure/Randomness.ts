/** Hashes a text to 32 bits (FNV-1a). */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/**
 * Returns functions that draw deterministic pseudo-random numbers (mulberry32). A seed has one stream of numbers for
 * each name, and the streams are independent.
 */
export const randomness = (seed: number, name: string) => {
  let state = hashText(`${seed}/${name}`)
  /** Returns a number in [0, 1). */
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** Returns an integer from 0 to `limit - 1`. */
  const below = (limit: number): number => Math.floor(fraction() * limit)
  /** Returns true with this probability. */
  const chance = (probability: number): boolean => fraction() < probability
  return { fraction, below, chance }
}

/** A deterministic stream of pseudo-random numbers. */
export type Randomness = ReturnType<typeof randomness>
