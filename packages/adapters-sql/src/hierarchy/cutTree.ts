/**
 * Cuts trees into regions: connected parts, each with a partner at its top. From the leaves upwards, a partner becomes a
 * top when it and all below it that are in no region yet come to more than `size`; roots always are, and whoever is named in
 * `crowded`. So a partner that
 * is no top has at most `size` partners of its region below it, itself among them, and there is at most one region for
 * every `size` partners, beside one for each root and each that is crowded.
 *
 * Takes the parent of each partner by its index, a parent before its children and -1 for a root, and gives the index of
 * the top of each partner's region.
 */
export const cutTree = (
  parents: Int32Array,
  size: number,
  crowded: ReadonlySet<number> = new Set()
): Int32Array => {
  const counted = new Int32Array(parents.length).fill(1)
  const regions = new Int32Array(parents.length).fill(-1)
  for (let index = parents.length - 1; index >= 0; index--) {
    const parent = parents[index] ?? -1
    const below = counted[index] ?? 0
    if (parent < 0 || below > size || crowded.has(index)) regions[index] = index
    else counted[parent] = (counted[parent] ?? 0) + below
  }
  for (let index = 0; index < parents.length; index++) {
    if ((regions[index] ?? -1) < 0) regions[index] = regions[parents[index] ?? -1] ?? -1
  }
  return regions
}
