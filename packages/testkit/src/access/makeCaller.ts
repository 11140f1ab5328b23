import {
  type Caller,
  type CallerFields,
  groups,
  type GroupSlug,
  type GroupWithPermissions
} from "@lastro/domain/access"
import { claimsOf, judgeClaims, judgeHostPrincipal, type Principal } from "@lastro/domain/identity"
import { Option, Result } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"

/** Returns the group with this slug. Throws a `TestMistake` if there is none. */
export const groupNamed = (slug: GroupSlug): GroupWithPermissions => {
  const named = groups.find((group) => group.slug === slug)
  if (named !== undefined) return named
  throw new TestMistake(`There is no such group. Use one of ${groups.map((group) => group.slug).join(", ")}.`)
}

/** The subject of a user of the host application starts with this prefix. */
export const hostPrefix = "host:"

/**
 * Makes a caller without a stored user or API client, by the rules of the domain. Throws a `TestMistake` if the group
 * lacks one of the permissions.
 */
export const makeCaller = (fields: CallerFields): Caller => {
  const { group, kind, must_change_password, partner_id, permissions, root_id, subject } = fields
  const { group_id, permissions: held } = groupNamed(group)
  const missing = Array.from(permissions).filter((permission) => !held.includes(permission))
  if (missing.length > 0) {
    throw new TestMistake(`The group ${group} lacks ${missing.join(", ")}. Its permissions: ${held.join(", ")}.`)
  }
  if (kind === "host") {
    const host = { subject: subject.replace(hostPrefix, ""), group, permissions: Array.from(permissions) }
    return Result.getOrThrow(judgeHostPrincipal(host, Option.some({ partner_id, root_id, partners_active: true })))
  }
  const principal: Principal = {
    kind,
    subject,
    partner_id,
    root_id,
    group_id,
    active: true,
    partners_active: true,
    credentials_version: 1,
    must_change_password
  }
  return Result.getOrThrow(judgeClaims(claimsOf(principal, group, permissions), Option.some(principal)))
}
