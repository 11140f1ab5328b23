import { Schema } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { Group, groups, type GroupWithPermissions } from "../access/Group.ts"
import { field } from "../input/field.ts"

/** The response of `listGroups`. */
export const ListOfGroupsResponse = Schema.Struct({ data: field(Schema.Array(Group), "All groups", groups) }).annotate({
  identifier: "ListOfGroupsResponse",
  description: "All groups"
})

/** Returns all groups. The list is constant. */
export const listGroups = (_: Allowed<"groups:read">): ReadonlyArray<GroupWithPermissions> => groups
