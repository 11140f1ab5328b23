import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Allowed, authorize, authorizeGroups, authorizeUserRead } from "../../src/access/Authorization.ts"
import { type Permission } from "../../src/access/Permission.ts"
import { type FoundRecord, type InScope, scopeOf, type SubtreeScope } from "../../src/hierarchy/Scope.ts"
import { listGroups } from "../../src/identity/ListGroups.ts"
import { type PasswordHash } from "../../src/identity/PasswordHasher.ts"
import { createPartner } from "../../src/partner/CreatePartner.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { listPartners } from "../../src/partner/ListPartners.ts"
import { type PartnerDetail } from "../../src/partner/PartnerDetail.ts"
import { type PartnerRepository } from "../../src/partner/PartnerRepository.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { type PartnerTree } from "../../src/ports/PartnerTree.ts"
import { createUser } from "../../src/user/CreateUser.ts"
import { deleteUser } from "../../src/user/DeleteUser.ts"
import { getUser } from "../../src/user/GetUser.ts"
import { listUsers } from "../../src/user/ListUsers.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { type UserDetail, type UserListItem } from "../../src/user/UserDetail.ts"
import { type UserRepository } from "../../src/user/UserRepository.ts"
import { type PartnerId, type UserId } from "../../src/values/ids.ts"
import { makeCaller } from "./callers.ts"

interface Held {
  readonly partnersRead: Allowed<"partners:read">
  readonly partnersWrite: Allowed<"partners:write">
  readonly usersRead: Allowed<"users:read">
  readonly usersWrite: Allowed<"users:write">
  readonly userRead: Allowed<"user:read">
  readonly userPatch: Allowed<"user:patch">
  readonly any: Allowed<Permission>
}

/** Never run. The test is that it compiles with every `@ts-expect-error` in place. */
export const useCasesDemandTheirProof = (held: Held, partner: PartnerId, user: UserId): ReadonlyArray<unknown> => [
  createPartner(held.partnersWrite, {}),
  updatePartner(held.partnersWrite, partner, {}),
  deletePartner(held.partnersWrite, partner),
  getPartner(held.partnersRead, partner),
  listPartners(held.partnersRead, {}),
  createUser(held.usersWrite, {}),
  updateUser(held.userPatch, user, {}),
  deleteUser(held.usersWrite, user),
  getUser(held.userRead, user),
  listUsers(held.usersRead, {}),
  // @ts-expect-error no proof
  createPartner({}),
  // @ts-expect-error a caller is not a proof
  createPartner(makeCaller(), {}),
  // @ts-expect-error reading is not writing
  createPartner(held.partnersRead, {}),
  // @ts-expect-error reading is not writing
  updatePartner(held.partnersRead, partner, {}),
  // @ts-expect-error users are not partners
  deletePartner(held.usersWrite, partner),
  // @ts-expect-error writing is not reading
  getPartner(held.partnersWrite, partner),
  // @ts-expect-error users are not partners
  listPartners(held.usersRead, {}),
  // @ts-expect-error an unknown permission
  createUser(held.any, {}),
  // @ts-expect-error permission to patch one user is not permission to create
  createUser(held.userPatch, {}),
  // @ts-expect-error the permission must be checked for this user
  updateUser(held.usersWrite, user, {}),
  // @ts-expect-error permission to patch one user is not permission to delete
  deleteUser(held.userPatch, user),
  // @ts-expect-error the permission must be checked for this user
  getUser(held.usersRead, user),
  // @ts-expect-error permission to read one user is not permission to list
  listUsers(held.userRead, {}),
  // @ts-expect-error listing groups has its own proof
  listGroups(held.usersRead)
]

interface Records {
  readonly partner: PartnerDetail
  readonly user: UserDetail
  readonly item: UserListItem
  readonly hash: PasswordHash
  readonly partnerInScope: InScope<PartnerDetail>
  readonly userInScope: InScope<UserDetail>
  readonly idInScope: InScope<PartnerId>
  readonly foundPartner: FoundRecord<PartnerDetail>
}

/** Never run. The test is that it compiles with every `@ts-expect-error` in place. */
export const writesDemandAScope = (
  partners: PartnerRepository["Service"],
  users: UserRepository["Service"],
  tree: PartnerTree["Service"],
  { foundPartner, hash, idInScope, item, partner, partnerInScope, user, userInScope }: Records
): ReadonlyArray<unknown> => [
  partners.insert(idInScope, partner),
  partners.update(partnerInScope, partner),
  tree.move(partnerInScope, idInScope),
  users.update(userInScope, item, idInScope),
  // @ts-expect-error a bare id is unchecked
  partners.insert(partner.partner_id, partner),
  // @ts-expect-error a bare record is unchecked
  partners.insertRoot(partner),
  // @ts-expect-error a bare record is unchecked
  partners.update(partner, partner),
  // @ts-expect-error a found record is unchecked
  partners.update(foundPartner, partner),
  // @ts-expect-error a bare record is unchecked
  partners.remove(partner, partner.created_at),
  // @ts-expect-error a bare record is unchecked
  partners.dependents(partner),
  // @ts-expect-error a user is not a partner
  partners.remove(userInScope, partner.created_at),
  // @ts-expect-error the new parent must be checked too
  tree.move(partnerInScope, partner.partner_id),
  // @ts-expect-error a bare record is unchecked
  tree.move(partner, idInScope),
  // @ts-expect-error a bare id is unchecked
  users.insert(partner.partner_id, item, hash),
  // @ts-expect-error a bare record is unchecked
  users.update(user, item, idInScope),
  // @ts-expect-error the owner must be checked too
  users.update(userInScope, item, item.partner_id),
  // @ts-expect-error a bare record is unchecked
  users.setPassword(user, hash),
  // @ts-expect-error a bare record is unchecked
  users.remove(user, user.created_at),
  // @ts-expect-error a bare id is not a scope
  partners.find(partner.partner_id, partner.partner_id),
  // @ts-expect-error a bare id is not a scope
  users.list(partner.partner_id, { filters: {}, page: { number: 0, size: 1 }, sort: [] })
]

/** Never run. The test is that it compiles with every `@ts-expect-error` in place. */
export const proofsAreNotMadeByHand = (
  partner: PartnerDetail,
  sealed: FoundRecord<PartnerDetail>
): ReadonlyArray<unknown> => {
  const caller = makeCaller()
  // @ts-expect-error the key that makes a proof is not exported
  const allowed: Allowed<"users:write"> = { caller }
  // @ts-expect-error the key that makes a scope is not exported
  const scope: SubtreeScope = { partner_id: partner.partner_id }
  // @ts-expect-error the key that makes a checked record is not exported
  const inScope: InScope<PartnerDetail> = { record: partner }
  // @ts-expect-error the key that makes a sealed record is not exported
  const found: FoundRecord<PartnerDetail> = { record: partner, inside: true }
  // @ts-expect-error a sealed record does not open without a check
  const opened: PartnerDetail = sealed.record
  // @ts-expect-error a narrow permission does not widen
  const wide: Allowed<Permission> = Result.getOrThrow(authorizeUserRead(caller, partner.partner_id as string as UserId))
  // @ts-expect-error a caller is not a proof
  const scoped: SubtreeScope = scopeOf(caller)
  return [allowed, scope, inScope, found, opened, wide, scoped]
}

describe("proofs", () => {
  it("AUTH-02 a proof carries its caller and cannot be imitated by an object literal", () => {
    const caller = makeCaller()
    const proofs = [Result.getOrThrow(authorize(caller, "users:write")), Result.getOrThrow(authorizeGroups(caller))]
    for (const proof of proofs) {
      assert.deepStrictEqual(Object.keys(proof), ["caller"])
      assert.strictEqual(Object.getOwnPropertySymbols(proof).length, 1)
      assert.strictEqual(proof.caller, caller)
    }
  })
})
