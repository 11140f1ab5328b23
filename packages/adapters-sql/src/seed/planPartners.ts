import { type PartnerId } from "@lastro/domain"
import { cutTree } from "../hierarchy/fillRegions.ts"
import { growTree } from "./growTree.ts"
import { randomness } from "./Randomness.ts"
import { seededIds } from "./seededIds.ts"

/** The first and the last instant at which anything was created, in milliseconds since 1970. */
const began = Date.UTC(2019, 0, 2, 12)
export const ended = Date.UTC(2026, 5, 30, 21)

/** The partners of a tree by their index, a parent before its children; the root is 0. */
export interface PartnerPlan {
  readonly ids: ReadonlyArray<PartnerId>
  /** The index of the parent; -1 for the root. */
  readonly parents: Int32Array
  /** The index of the top of each one's region. */
  readonly regions: Int32Array
  /** When each joined, in milliseconds since 1970, after its parent. */
  readonly joined: Float64Array
  /** Until when there was business at each. A partner that gave up took its subtree along. */
  readonly activeUntil: Float64Array
}

/** How many partners give up at some time. */
const givingUp = 0.08

/** Plans the tree: who is below whom, and in which region, who joined when, who gave up when. */
export const planPartners = (count: number, seed: number, regionSize: number): PartnerPlan => {
  const parents = growTree(count, randomness(seed, "tree"))
  const random = randomness(seed, "joined")
  const joined = new Float64Array(count)
  const activeUntil = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    const parent = parents[index] ?? -1
    const from = parent < 0 ? began : joined[parent] ?? began
    const until = parent < 0 ? ended : activeUntil[parent] ?? ended
    // Early growth is faster; a millisecond at least lies between a parent and its child.
    const at = parent < 0 ? from : Math.floor(from + 1 + (until - from) * random.fraction() ** 2)
    const leaves = parent >= 0 && random.chance(givingUp)
    joined[index] = at
    activeUntil[index] = Math.max(at + 1, leaves ? Math.floor(at + (until - at) * random.fraction()) : until)
  }
  const idOf = seededIds(seed, "partner")
  return {
    ids: Array.from(joined, (at, index) => idOf(index, at) as PartnerId),
    parents,
    regions: cutTree(parents, regionSize),
    joined,
    activeUntil
  }
}

/** Where the partner `index` stands in the tree: what every record that belongs to it repeats. */
export const placeIn = ({ ids, regions }: PartnerPlan, index: number) => {
  const partner_id = ids[index]
  const region_id = ids[regions[index] ?? -1]
  const [root_id] = ids
  if (partner_id === undefined || region_id === undefined || root_id === undefined) {
    throw new RangeError(`there is no partner ${index}`)
  }
  return { partner_id, region_id, root_id }
}
