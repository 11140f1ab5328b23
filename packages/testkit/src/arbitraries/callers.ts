import { type Caller, groups, type PartnerId } from "@lastro/domain"
import * as fc from "fast-check"
import { userId } from "./users.ts"

/**
 * Callers of a partner in the tree of `root_id`: users and API clients of every group, with all of the group's
 * permissions or some of them, a few with a password change due.
 */
export const callerOf = (
  { partner_id, root_id }: { readonly partner_id: PartnerId; readonly root_id: PartnerId }
): fc.Arbitrary<Caller> =>
  fc.constantFrom(...groups).chain(({ permissions, slug }) =>
    fc.record({
      subject: userId,
      kind: fc.constantFrom("user" as const, "client" as const),
      partner_id: fc.constant(partner_id),
      root_id: fc.constant(root_id),
      group: fc.constant(slug),
      permissions: fc.oneof(
        { weight: 3, arbitrary: fc.constant(new Set(permissions)) },
        { weight: 1, arbitrary: fc.subarray([...permissions]).map((some) => new Set(some)) }
      ),
      must_change_password: fc.nat({ max: 9 }).map((one) => one === 0)
    })
  ).map((caller) => caller.kind === "client" ? { ...caller, must_change_password: false } : caller)
