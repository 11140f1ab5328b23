import { assert } from "@effect/vitest"
import {
  asOperator,
  groupBySlug,
  groupRecord,
  type PartnerDetail,
  PartnerRepository,
  type PasswordHash,
  type Timestamp,
  UnitOfWork,
  type UserDetail,
  type UserId,
  type UserListItem,
  userListItem,
  UserRepository
} from "@lastro/domain"
import { Effect, Result } from "effect"
import { aUser, exampleHash } from "../given/aUser.ts"
import { freshId } from "../given/freshId.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenRoot } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { judged, opened, query, scopeOfPartner } from "./read.ts"

const later = "2026-02-01T00:00:00.000Z" as Timestamp

const forUpdate = (partner: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    return yield* opened((yield* UserRepository).findForUpdate(scopeOfPartner(partner), user.user_id))
  })

const reread = (partner: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    return judged(yield* (yield* UserRepository).find(scopeOfPartner(partner), user.user_id))
  })

const whole = (partner: PartnerDetail, user: UserListItem): UserDetail => ({
  ...user,
  partners: [{ partner_id: partner.partner_id, name: partner.name }]
})

const insert = (partner: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    return yield* (yield* UserRepository).insert(asOperator.inScope(partner.partner_id), user, exampleHash)
  })

const isEmailTaken = (result: Result.Result<unknown, { readonly _tag: string }>): boolean =>
  Result.isFailure(result) && result.failure._tag === "EmailTaken"

const remove = (partner: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    yield* (yield* UserRepository).remove(yield* forUpdate(partner, user), later)
  })

/** The contract of UserRepository but for its lists. */
export const userRepositoryCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it.effect("find and findForUpdate give the user with this id, whole, with the partner it is tied to", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot({ name: "Núcleo & Cia" })
      const user = yield* givenUser(partner, {
        name: "João D'Ávila",
        status: "INACTIVE",
        group: groupRecord(groupBySlug("viewer")),
        must_change_password: true,
        created_at: "2024-02-29T23:59:59.987Z" as Timestamp
      })
      assert.deepStrictEqual(yield* reread(partner, user), whole(partner, user))
      assert.deepStrictEqual(
        judged(yield* repository.findForUpdate(scopeOfPartner(partner), user.user_id)),
        whole(partner, user)
      )
    }))

  it.effect("find and findForUpdate find nothing under an id that was never inserted", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      const unknown = (yield* freshId) as UserId
      assert.strictEqual(judged(yield* repository.find(scopeOfPartner(partner), unknown)), "NotFound")
      assert.strictEqual(judged(yield* repository.findForUpdate(scopeOfPartner(partner), unknown)), "NotFound")
    }))

  it.effect("HIER-01 HIER-02 find and findForUpdate judge a user by where its partner lies", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const [root, middle, leaf, sibling, stranger] = yield* givenForest([null, 0, 1, 0, null])
      for (const find of [repository.find, repository.findForUpdate]) {
        for (const partner of [middle, leaf]) {
          const user = yield* givenUser(partner)
          assert.deepStrictEqual(judged(yield* find(scopeOfPartner(middle), user.user_id)), whole(partner, user))
        }
        for (const partner of [root, sibling, stranger]) {
          const user = yield* givenUser(partner)
          assert.strictEqual(judged(yield* find(scopeOfPartner(middle), user.user_id)), "OutsideHierarchy")
        }
      }
    }))

  it.effect("no other transaction changes a user found for update until this one ends", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const unit = yield* UnitOfWork
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner, { name: "0" })
      const increment = unit.atomically(Effect.gen(function*() {
        const before = yield* forUpdate(partner, user)
        yield* Effect.yieldNow
        const after = { ...userListItem(before.record), name: String(Number(before.record.name) + 1) }
        yield* repository.update(before, after, asOperator.inScope(partner.partner_id))
      }))
      yield* Effect.all(Array.from({ length: 8 }, () => increment), { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* reread(partner, user), whole(partner, { ...user, name: "8" }))
    }))

  it.effect("T23 insert fails when the e-mail is taken, in another letter case or Unicode form too, under any root", () =>
    Effect.gen(function*() {
      const [root, child, stranger] = yield* givenForest([null, 0, null])
      const { email, user_id } = yield* givenUser(child, { email: `josé.${yield* freshId}@exemplo.com` })
      const forms = [email, email.toUpperCase(), email.normalize("NFD"), email.normalize("NFD").toUpperCase()]
      for (const partner of [root, child, stranger]) {
        for (const form of forms) {
          const twin = yield* aUser(partner.partner_id, { email: form })
          assert.isTrue(isEmailTaken(yield* Effect.result(insert(partner, twin))), form)
          assert.strictEqual(yield* reread(partner, twin), "NotFound")
        }
      }
      assert.notStrictEqual(yield* reread(child, yield* aUser(child.partner_id, { user_id })), "NotFound")
    }))

  it.effect("e-mails that differ in an accent are different", () =>
    Effect.gen(function*() {
      const partner = yield* givenRoot()
      const id = yield* freshId
      for (const email of [`jose.${id}@exemplo.com`, `josé.${id}@exemplo.com`]) {
        const user = yield* givenUser(partner, { email })
        assert.deepStrictEqual(yield* reread(partner, user), whole(partner, user))
      }
    }))

  it.effect("of units that insert the same e-mail at once exactly one succeeds", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const partner = yield* givenRoot()
      const email = `maria.${yield* freshId}@example.com`
      const attempt = Effect.gen(function*() {
        yield* unit.atomically(insert(partner, yield* aUser(partner.partner_id, { email })))
      })
      const results = yield* Effect.all(Array.from({ length: 4 }, () => Effect.result(attempt)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      assert.strictEqual(results.filter(isEmailTaken).length, 3)
    }))

  it.effect("update saves every field, and the partner that the user then belongs to", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const [root, one, other] = yield* givenForest([null, 0, 0], (index) => ({ name: `Parceiro ${index}` }))
      const user = yield* givenUser(one)
      const after = yield* aUser(other.partner_id, {
        user_id: user.user_id,
        name: "José Ângelo",
        phone: "2133334444",
        status: "INACTIVE",
        group: groupRecord(groupBySlug("operator")),
        must_change_password: true,
        created_at: later
      })
      yield* repository.update(yield* forUpdate(root, user), after, asOperator.inScope(other.partner_id))
      assert.deepStrictEqual(yield* reread(other, user), whole(other, after))
      assert.strictEqual(yield* reread(one, user), "OutsideHierarchy")
    }))

  it.effect("T23 update fails when the new e-mail is another user's, in another letter case or Unicode form too", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      const { email } = yield* givenUser(partner, { email: `josé.${yield* freshId}@exemplo.com` })
      const user = yield* givenUser(partner)
      for (const form of [email, email.toUpperCase(), email.normalize("NFD")]) {
        const result = yield* Effect.result(
          repository.update(
            yield* forUpdate(partner, user),
            { ...user, email: form },
            asOperator.inScope(user.partner_id)
          )
        )
        assert.isTrue(isEmailTaken(result), form)
        assert.deepStrictEqual(yield* reread(partner, user), whole(partner, user))
      }
    }))

  it.effect("update may change the letter case of the user's own e-mail", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner)
      const after = { ...user, email: user.email.toUpperCase() }
      yield* repository.update(yield* forUpdate(partner, user), after, asOperator.inScope(partner.partner_id))
      assert.deepStrictEqual(yield* reread(partner, user), whole(partner, after))
    }))

  it.effect("passwordHash gives the hash that was stored, setPassword replaces it and nothing else", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      const [one, other] = ["$argon2id$one", "$argon2id$other"] as ReadonlyArray<string> as [PasswordHash, PasswordHash]
      const user = yield* givenUser(partner, {}, one)
      const beside = yield* givenUser(partner, {}, one)
      assert.strictEqual(yield* repository.passwordHash(yield* forUpdate(partner, user)), one)
      yield* repository.setPassword(yield* forUpdate(partner, user), other)
      assert.strictEqual(yield* repository.passwordHash(yield* forUpdate(partner, user)), other)
      assert.strictEqual(yield* repository.passwordHash(yield* forUpdate(partner, beside)), one)
      assert.deepStrictEqual(yield* reread(partner, user), whole(partner, user))
    }))

  it.effect("remove takes the user out of every read", () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner)
      const beside = yield* givenUser(partner)
      yield* remove(partner, user)
      assert.strictEqual(yield* reread(partner, user), "NotFound")
      assert.strictEqual(
        judged(yield* repository.findForUpdate(scopeOfPartner(partner), user.user_id)),
        "NotFound"
      )
      assert.deepStrictEqual(yield* repository.list(scopeOfPartner(partner), query({})), { items: [beside], total: 1 })
      assert.strictEqual((yield* (yield* PartnerRepository).dependents(asOperator.inScope(partner))).users, 1)
    }))

  it.effect("the e-mail of a removed user may be used again", () =>
    Effect.gen(function*() {
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner)
      yield* remove(partner, user)
      const next = yield* givenUser(partner, { email: user.email })
      assert.deepStrictEqual(yield* reread(partner, next), whole(partner, next))
    }))
}
