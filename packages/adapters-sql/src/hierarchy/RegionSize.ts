import { Context } from "effect"

/**
 * Target number of partners in a region. Larger regions slow down moves, and lists of small subtrees. Smaller regions
 * slow down lists of large subtrees. Default: 32.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * A partner becomes the top of a region if its subtree has more users than {@link RegionSize} multiplied by this
 * number. If a partner that is not a top moves to another region, the row of every user in its subtree is rewritten.
 * The maximum number of users limits the number of these rows.
 */
export const usersPerRegionPartner = 64
