import { growTree } from "./growTree.ts"
import { randomness } from "./Randomness.ts"

/** The first and the last instant at which anything was created, in milliseconds since 1970. */
const began = Date.UTC(2019, 0, 2, 12)
const ended = Date.UTC(2026, 5, 30, 21)

/** The partners of a tree by their index, a parent before its children. */
export interface PartnerPlan {
  /** The index of the parent; -1 for the root. */
  readonly parents: Int32Array
  /** When each joined, in milliseconds since 1970, after its parent. */
  readonly joined: Float64Array
  /** Until when users were created for each. A partner that gave up took its subtree along. */
  readonly activeUntil: Float64Array
}

/** How many partners give up at some time. */
const givingUp = 0.08

/** Plans the tree: who is below whom, who joined when, who gave up when. */
export const planPartners = (count: number, seed: number): PartnerPlan => {
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
  return { parents, joined, activeUntil }
}
