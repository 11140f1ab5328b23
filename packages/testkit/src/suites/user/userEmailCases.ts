import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { type UserListItem, UserRepository } from "@lastro/domain/user"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { aUser, exampleHash } from "../../builders/aUser.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { findUserForUpdate, readUser, removeUser, userDetailOf } from "./storedUser.ts"

const insert = (partner: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    return yield* (yield* UserRepository).insert(asOperator.inScope(partner.partner_id), user, exampleHash)
  })

const isEmailTaken = (result: Result.Result<unknown, { readonly _tag: string }>): boolean =>
  Result.isFailure(result) && result.failure._tag === "EmailTaken"

/** Contract cases for UserRepository: e-mail addresses, which are unique. */
export const userEmailCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it("T23 `insert` fails with EmailTaken when any live user has the same e-mail, ignoring case and Unicode form", function*() {
    const [root, child, stranger] = yield* storeForest([null, 0, null])
    const { email, user_id } = yield* storeUser(child, { email: `josé.${yield* freshId}@exemplo.com` })
    const forms = [email, email.toUpperCase(), email.normalize("NFD"), email.normalize("NFD").toUpperCase()]
    for (const partner of [root, child, stranger]) {
      for (const form of forms) {
        const twin = { ...(yield* aUser().of(partner)), email: form }
        assert.isTrue(isEmailTaken(yield* Effect.result(insert(partner, twin))), form)
        assert.strictEqual(yield* readUser(partner, twin), "NotFound")
      }
    }
    assert.notStrictEqual(yield* readUser(child, yield* aUser({ user_id }).of(child)), "NotFound")
  })

  it("e-mails that differ only in an accent are distinct", function*() {
    const partner = yield* storeRootPartner()
    const id = yield* freshId
    for (const email of [`jose.${id}@exemplo.com`, `josé.${id}@exemplo.com`]) {
      const user = yield* storeUser(partner, { email })
      assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, user))
    }
  })

  it("of concurrent transactions that insert the same e-mail, exactly one succeeds", function*() {
    const unit = yield* UnitOfWork
    const partner = yield* storeRootPartner()
    const email = `maria.${yield* freshId}@example.com`
    const attempt = Effect.gen(function*() {
      yield* unit.atomically(insert(partner, yield* aUser({ email }).of(partner)))
    })
    const results = yield* Effect.all(Array.from({ length: 4 }, () => Effect.result(attempt)), {
      concurrency: "unbounded"
    })
    assert.strictEqual(results.filter(Result.isSuccess).length, 1)
    assert.strictEqual(results.filter(isEmailTaken).length, 3)
  })

  it("T23 `update` fails with EmailTaken when another live user has the e-mail, ignoring case and Unicode form", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const { email } = yield* storeUser(partner, { email: `josé.${yield* freshId}@exemplo.com` })
    const user = yield* storeUser(partner)
    for (const form of [email, email.toUpperCase(), email.normalize("NFD")]) {
      const result = yield* Effect.result(
        repository.update(
          yield* findUserForUpdate(partner, user),
          { ...user, email: form },
          asOperator.inScope(user.partner_id)
        )
      )
      assert.isTrue(isEmailTaken(result), form)
      assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, user))
    }
  })

  it("`update` can change the case of the user's own e-mail", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    const after = { ...user, email: user.email.toUpperCase() }
    yield* repository.update(yield* findUserForUpdate(partner, user), after, asOperator.inScope(partner.partner_id))
    assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, after))
  })

  it("the e-mail of a removed user can be used again", function*() {
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    yield* removeUser(partner, user)
    const next = yield* storeUser(partner, { email: user.email })
    assert.deepStrictEqual(yield* readUser(partner, next), userDetailOf(partner, next))
  })
}
