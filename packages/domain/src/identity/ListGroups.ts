import { Schema } from "effect"
import { field } from "../validation/field.ts"
import { type Allowed } from "./Authorization.ts"
import { Group, groups, type GroupWithPermissions } from "./Group.ts"

/** The response of `listGroups`. */
export const ListOfGroupsResponse = Schema.Struct({ data: field(Schema.Array(Group), "All groups", groups) }).annotate({
  identifier: "ListOfGroupsResponse",
  description: "All groups"
})

/** Lists all groups with their permissions. */
export const listGroups = (_: Allowed<"groups:read">): ReadonlyArray<GroupWithPermissions> => groups
