import { Schema } from "effect"
import { type Allowed } from "./Authorization.ts"
import { Group, groups, type GroupWithPermissions } from "./Group.ts"

/** The answer of listing the groups. */
export const ListOfGroupsResponse = Schema.Struct({ data: Schema.Array(Group) }).annotate({
  identifier: "ListOfGroupsResponse"
})

/** The groups there are, each with what it allows. */
export const listGroups = (_: Allowed<"groups:read">): ReadonlyArray<GroupWithPermissions> => groups
