import { type Randomness } from "./Randomness.ts"

/** The level of the deepest partners; a root is on level 1. */
const deepest = 12

/** The level that every branch reaches, as far as there are partners enough. */
const shallowest = 3

/** Splits `total` into `parts` of at least `least` each, a few large and many small (Zipf's law). */
const shares = (total: number, parts: number, least: number, random: Randomness): ReadonlyArray<number> => {
  const weights = Array.from({ length: parts }, (_, rank) => (0.5 + random.fraction()) / (rank + 1))
  const sum = weights.reduce((one, other) => one + other, 0)
  const spare = total - parts * least
  const split = weights.map((weight) => least + Math.floor(spare * weight / sum))
  const given = split.reduce((one, other) => one + other, 0)
  return split.map((share, index) => index === 0 ? share + total - given : share)
}

/** How many children a partner with `below` partners in its subtree has: around their root; in small ones at times one. */
const childCount = (below: number, random: Randomness): number =>
  below < 50 && random.chance(0.2) ? 1 : Math.ceil(below ** (0.3 + 0.35 * random.fraction()))

/** The sizes of the subtrees on `level` into which the `below` partners below their parent fall. */
const split = (below: number, level: number, random: Randomness): ReadonlyArray<number> => {
  // Nothing can hang below the deepest level, so that everything left is a leaf there.
  if (level === deepest) return Array.from({ length: below }, () => 1)
  const least = Math.max(1, shallowest - level + 1)
  return shares(below, Math.max(1, Math.min(Math.floor(below / least), childCount(below, random))), least, random)
}

/**
 * The shape of one tree of `size` partners: the parent of each by its index, a parent before its children, the root
 * first (its parent is -1). Siblings differ in size by Zipf's law, and leaves lie on the levels 3 to 12.
 */
export const growTree = (size: number, random: Randomness): Int32Array => {
  const parents = new Int32Array(size)
  let used = 0
  const grow = (parent: number, whole: number, level: number): void => {
    const self = used
    parents[self] = parent
    used += 1
    const below = whole - 1
    if (below > 0) { for (const share of split(below, level + 1, random)) grow(self, share, level + 1) }
  }
  if (size > 0) grow(-1, size, 1)
  return parents
}
