import { Schema } from "effect"
import { Uuid } from "../id/Uuid.ts"
import { Permission, permissions } from "../identity/Permission.ts"
import { field } from "../validation/field.ts"

/** Identifies a group. */
export const GroupId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The group's id", examples: ["01900000-0000-7000-8000-000000000003"] }),
  Schema.brand("GroupId")
)
export type GroupId = typeof GroupId.Type

/** A group's name for programs. */
export const GroupSlug = Schema.Literals(["admin", "manager", "operator", "viewer"]).annotate({
  description: "Name for programs"
})
export type GroupSlug = typeof GroupSlug.Type

/** A group. A user carries it without its permissions, the list of groups with them. */
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

/** A group as the list of groups shows it: with what it allows. */
export interface GroupWithPermissions extends Group {
  readonly permissions: ReadonlyArray<Permission>
}

const group = (
  group_id: string,
  slug: GroupSlug,
  label: string,
  allowed: ReadonlyArray<Permission>
): GroupWithPermissions => ({ group_id: GroupId.make(group_id), slug, label, permissions: allowed })

/** The groups there are. Their ids are constants, so that a client may keep them. */
export const groups: ReadonlyArray<GroupWithPermissions> = [
  group("01900000-0000-7000-8000-000000000001", "admin", "Administrador", permissions),
  group(
    "01900000-0000-7000-8000-000000000002",
    "manager",
    "Gerente",
    permissions.filter((permission) => permission !== "partners:write")
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

const bySlug = new Map(groups.map((one) => [one.slug, one]))
const byId = new Map<string, GroupWithPermissions>(groups.map((one) => [one.group_id, one]))

/** The group with this slug. */
export const groupBySlug = (slug: GroupSlug): GroupWithPermissions => {
  const found = bySlug.get(slug)
  if (found === undefined) throw new Error(`no group ${slug}`)
  return found
}

/** The group with this id, if there is one. */
export const groupById = (id: string): GroupWithPermissions | undefined => byId.get(id)

/** The group with this id, which is known to be one. */
export const groupWithId = (id: GroupId): GroupWithPermissions => {
  const found = byId.get(id)
  if (found === undefined) throw new Error(`no group ${id}`)
  return found
}

/** The record a user carries: the group without its permissions. */
export const groupRecord = ({ group_id, label, slug }: GroupWithPermissions): Group => ({ group_id, slug, label })
