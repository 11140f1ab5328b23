import { textHash } from "./textHash.ts"

/** A stream of pseudo-random numbers: the same seed gives the same numbers on every machine. */
export interface Randomness {
  /** A number in [0, 1), with 32 bits. */
  readonly fraction: () => number
  /** A whole number from 0 to `below - 1`. */
  readonly below: (below: number) => number
  /** Whether something of this probability happens. */
  readonly chance: (probability: number) => boolean
  /** An exponentially distributed number of mean 1. */
  readonly exponential: () => number
  /** One of a list, each as likely as any other. */
  readonly oneOf: <A>(all: readonly [A, ...ReadonlyArray<A>]) => A
}

/**
 * The stream `name` of a seed (mulberry32). Each purpose draws from a stream of its own, so that a change in what one
 * draws leaves the others as they were.
 */
export const randomness = (seed: number, name: string): Randomness => {
  let state = textHash(`${seed}/${name}`)
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    exponential: () => -Math.log(1 - fraction()),
    oneOf: (all) => all[below(all.length)] ?? all[0]
  }
}
