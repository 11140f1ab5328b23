import { Context } from "effect"

/**
 * Target number of partners in a region, a connected part of the partner tree. Larger regions slow down moves, and
 * lists of small subtrees. Smaller regions slow down lists of large subtrees. Default: 32.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * Maximum number of users in the subtree of a partner that is not the top of a region, for each partner of {@link
 * RegionSize}. A partner with more users becomes the top of a region. The maximum keeps moves short: if a partner that
 * is not a top moves to another region, the row of every user in its subtree is rewritten.
 */
export const usersPerRegionPartner = 64
