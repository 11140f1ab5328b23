import { Context } from "effect"

/**
 * How many partners a subtree may count one by one before its top becomes the top of a region; 32 unless given. Larger
 * regions make moves dearer and lists of small subtrees slower, smaller ones lists of large subtrees.
 */
export const RegionSize = Context.Reference<number>("@lastro/adapters-sql/hierarchy/RegionSize", {
  defaultValue: () => 32
})

/**
 * How many users a partner may have below it without being the top of a region, for each partner of a region's size: whoever
 * is no top takes its users along when it moves into another region, and they are written one by one.
 */
export const usersForEach = 64
