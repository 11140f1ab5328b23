import { Context } from "effect"

/**
 * Target number of partners in a region. Larger regions slow down moves, and lists of small subtrees. Smaller regions
 * slow down lists of large subtrees. Default: 32.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * Maximum number of users in the subtree of a partner that is not the top of a region, as a multiple of {@link
 * RegionSize}. If such a partner moves to another region, the row of each of these users is rewritten.
 */
export const usersPerRegionPartner = 64
