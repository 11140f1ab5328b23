import { Schema } from "effect"
import { type Allowed } from "../hierarchy/Authorization.ts"
import { field } from "../validation/field.ts"
import { Group, groups, type GroupWithPermissions } from "./Group.ts"

/** The answer of listing the groups. */
export const ListOfGroupsResponse = Schema.Struct({ data: field(Schema.Array(Group), "All groups", groups) }).annotate({
  identifier: "ListOfGroupsResponse",
  description: "All groups"
})

/** The groups there are, each with what it allows. */
export const listGroups = (_: Allowed<"groups:read">): ReadonlyArray<GroupWithPermissions> => groups
