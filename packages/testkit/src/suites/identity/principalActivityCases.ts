import { asOperator } from "@lastro/domain/hierarchy"
import { type PasswordHash, type PrincipalRepository } from "@lastro/domain/identity"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { UserRepository } from "@lastro/domain/user"
import { assert } from "chai"
import { Effect } from "effect"
import { storeForest, storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { findUserForUpdate } from "../user/storedUser.ts"
import { findByEmail, findPrincipal } from "./principalCases.ts"

const updatePartner = (before: PartnerDetail, change: Partial<PartnerDetail>) =>
  Effect.gen(function*() {
    yield* (yield* PartnerRepository).update(asOperator.inScope(before), { ...before, ...change })
  })

/** Contract cases for PrincipalRepository: `active`, `partners_active` and `credentials_version`. */
export const principalActivityCases: ContractCases<PartnerRepository | PrincipalRepository | UserRepository> = (
  it
) => {
  it("`active` is false for an inactive user", function*() {
    const user = yield* storeUser(yield* storeRootPartner(), { status: "INACTIVE" })
    const found = yield* findPrincipal("user", user.user_id)
    assert.deepStrictEqual([found?.active, found?.partners_active], [false, true])
  })

  it("`partners_active` is false exactly if the principal's partner or an ancestor of it is inactive", function*() {
    const partners = yield* storeForest([null, 0, 1, 2, 1])
    const [, inactive] = partners
    const users = yield* Effect.forEach(partners, (partner) => storeUser(partner))
    const blocked = Effect.forEach(users, ({ email, user_id }) =>
      Effect.gen(function*() {
        const found = yield* findPrincipal("user", user_id)
        assert.deepStrictEqual((yield* findByEmail(email))?.principal, found ?? undefined)
        return found?.partners_active === false
      }))
    yield* updatePartner(inactive, { status: "inactive" })
    assert.deepStrictEqual(yield* blocked, [false, true, true, true, true])
    yield* updatePartner({ ...inactive, status: "inactive" }, { status: "active" })
    assert.deepStrictEqual(yield* blocked, [false, false, false, false, false])
  })

  it("`credentials_version` is incremented by password changes only", function*() {
    const users = yield* UserRepository
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    const version = Effect.map(
      findPrincipal("user", user.user_id),
      (found) => found?.credentials_version ?? Number.NaN
    )
    const first = yield* version
    const renamed = { ...user, name: "Outro Nome", must_change_password: true }
    yield* users.update(yield* findUserForUpdate(partner, user), renamed, asOperator.inScope(partner.partner_id))
    assert.strictEqual(yield* version, first)
    yield* users.setPassword(yield* findUserForUpdate(partner, user), "$argon2id$two" as PasswordHash)
    assert.strictEqual(yield* version, first + 1)
    yield* users.setPassword(yield* findUserForUpdate(partner, user), "$argon2id$three" as PasswordHash)
    assert.strictEqual(yield* version, first + 2)
    assert.strictEqual((yield* findByEmail(user.email))?.hash, "$argon2id$three")
  })
}
