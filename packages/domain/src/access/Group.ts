import { Result, Schema } from "effect"
import { field } from "../input/field.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser } from "../input/textParser.ts"
import { parseUuid, Uuid } from "../values/Uuid.ts"
import { Permission, permissions } from "./Permission.ts"

/** The id of a group. */
export const GroupId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The group's id", examples: ["01900000-0000-7000-8000-000000000003"] }),
  Schema.brand("GroupId")
)
export type GroupId = typeof GroupId.Type

/** The id of a group in a request. The slug is accepted, too. */
export const GroupName = schemaOfParser<GroupId>(
  (text) => {
    const named = groupNamed(text)
    if (named !== undefined) return Result.succeed(named.group_id)
    const id = Result.map(parseUuid(text), (uuid) => GroupId.make(uuid))
    return Result.mapError(id, () => invalidFormat("UUID or slug of a group"))
  },
  { description: "The group's id, or its slug", examples: ["operator"] }
)

/** The name by which programs refer to a group. */
export const GroupSlug = Schema.Literals(["admin", "manager", "operator", "viewer"]).annotate({
  description: "Name for programs"
})
export type GroupSlug = typeof GroupSlug.Type

/** A group. `permissions` is present in the list of groups and absent from user records. */
export const Group = Schema.Struct({
  group_id: GroupId,
  slug: GroupSlug,
  label: field(Schema.String, "Name for people", "Administrador"),
  permissions: field(
    Schema.optionalKey(Schema.Array(Permission)),
    "The permissions of its members; in the list of groups only"
  )
}).annotate({ identifier: "Group", description: "A group of users with the same permissions" })
export type Group = typeof Group.Type

/** A group with its permissions, as in the list of groups. */
export interface GroupWithPermissions extends Group {
  readonly permissions: ReadonlyArray<Permission>
}

const group = (
  group_id: string,
  slug: GroupSlug,
  label: string,
  allowed: ReadonlyArray<Permission>
): GroupWithPermissions => ({ group_id: GroupId.make(group_id), slug, label, permissions: allowed })

/** All groups. Their ids are constants, so that clients can store them. */
export const groups: ReadonlyArray<GroupWithPermissions> = [
  group("01900000-0000-7000-8000-000000000001", "admin", "Administrador", permissions),
  group(
    "01900000-0000-7000-8000-000000000002",
    "manager",
    "Gerente",
    permissions.filter((permission) =>
      !["partners:write", "audit:read", "webhooks:write", "clients:write", "commissions:write"].includes(permission)
    )
  ),
  group("01900000-0000-7000-8000-000000000003", "operator", "Operador", [
    "partners:read",
    "proposals:read",
    "fgts:read",
    "fgts:write",
    "kyc:read"
  ]),
  group("01900000-0000-7000-8000-000000000004", "viewer", "Consulta", [
    "partners:read",
    "users:read",
    "proposals:read",
    "fgts:read"
  ])
]

const bySlug = new Map(groups.map((group) => [group.slug, group]))
const byId = new Map<string, GroupWithPermissions>(groups.map((group) => [group.group_id, group]))

/** Returns the group with this slug. */
export const groupBySlug = (slug: GroupSlug): GroupWithPermissions => {
  const group = bySlug.get(slug)
  if (group === undefined) throw new Error(`unknown group: ${slug}`)
  return group
}

/** Returns the group with this id, or undefined if there is none. */
export const groupById = (id: string): GroupWithPermissions | undefined => byId.get(id)

/** Returns the group with this id or slug, or undefined if there is none. */
export const groupNamed = (text: string): GroupWithPermissions | undefined =>
  byId.get(text.toLowerCase()) ?? groups.find(({ slug }) => slug === text)

/** Returns the group with this id. Throws if there is none. */
export const groupWithId = (id: GroupId): GroupWithPermissions => {
  const group = byId.get(id)
  if (group === undefined) throw new Error(`unknown group: ${id}`)
  return group
}

/** Returns a group without its permissions, as in the record of a user. */
export const groupRecord = ({ group_id, label, slug }: GroupWithPermissions): Group => ({ group_id, slug, label })
