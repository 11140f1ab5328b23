import { Context } from "effect"

/**
 * Target number of partners in a region. Larger regions slow down moves, and lists of small subtrees. Smaller regions
 * slow down lists of large subtrees. Default: 32.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * A partner with more than this number times {@link RegionSize} users in its subtree becomes the top of a region. If a
 * partner that is not a top moves to another region, the row of every user in its subtree is rewritten. The maximum
 * limits the number of these rows.
 */
export const usersPerRegionPartner = 64
