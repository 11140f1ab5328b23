import { Context } from "effect"

/**
 * Target number of partners that a subtree lists individually before its top becomes the top of a region. Larger regions
 * slow down moves and lists of small subtrees; smaller regions slow down lists of large subtrees. Default: 32.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * Maximum number of users below a partner that is not the top of a region, as a multiple of {@link RegionSize}. A move into
 * another region rewrites the row of each of these users.
 */
export const usersPerRegionPartner = 64
