import { groups, type GroupSlug, type GroupWithPermissions } from "@lastro/domain/access"
import { TestMistake } from "../mistake/TestMistake.ts"

/** Returns the group with this slug. Throws a `TestMistake` if there is none. */
export const groupNamed = (slug: GroupSlug): GroupWithPermissions => {
  const found = groups.find((one) => one.slug === slug)
  if (found !== undefined) return found
  throw new TestMistake(`There is no such group. Use one of ${groups.map((one) => one.slug).join(", ")}.`)
}
