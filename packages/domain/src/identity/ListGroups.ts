import { Schema } from "effect"
import { type Allowed } from "./Authorization.ts"
import { Group, groups, type GroupWithPermissions } from "./Group.ts"

/** The answer of `listGroups`. */
export const ListOfGroupsResponse = Schema.Struct({ data: Schema.Array(Group) }).annotate({
  identifier: "ListOfGroupsResponse"
})

/** Lists all groups with their permissions. */
export const listGroups = (_: Allowed<"groups:read">): ReadonlyArray<GroupWithPermissions> => groups
