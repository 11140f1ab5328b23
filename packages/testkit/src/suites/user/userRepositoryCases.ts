import { groupBySlug, groupRecord } from "@lastro/domain/access"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PasswordHash } from "@lastro/domain/identity"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type UserDetail, type UserListItem, userListItem, UserRepository } from "@lastro/domain/user"
import { type Email, type Timestamp, type UserId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { exampleMetadata } from "../../builders/aPartner.ts"
import { aUser, exampleHash } from "../../builders/aUser.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { decomposedText, listQuery, recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { findUserForUpdate, later, readUser, removeUser, userDetailOf } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

/** The find methods of UserRepository, for the contract cases. */
export const userFinds: FindSubject<UserDetail, PartnerRepository | UserRepository> = {
  methods: {
    find: (scope, id) => UserRepository.use((users) => users.find(scope, id as UserId)),
    findForUpdate: (scope, id) => UserRepository.use((users) => users.findForUpdate(scope, id as UserId))
  },
  store: (partner) =>
    Effect.map(storeUser(partner), (user) => ({ id: user.user_id, record: userDetailOf(partner, user) }))
}

/** Contract cases for UserRepository, except those for lists. */
export const userRepositoryCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it("`find` and `findForUpdate` return the user with every field as inserted, and its partner", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner({ name: "Núcleo & Cia" })
    const user = yield* storeUser(partner, {
      name: "João D'Ávila",
      status: "INACTIVE",
      group: groupRecord(groupBySlug("viewer")),
      must_change_password: true,
      created_at: "2024-02-29T23:59:59.987Z" as Timestamp,
      metadata: exampleMetadata
    })
    assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, user))
    assert.deepStrictEqual(
      recordOrRefusal(yield* repository.findForUpdate(scopeOfPartner(partner), user.user_id)),
      userDetailOf(partner, user)
    )
  })

  it("`insert` and `update` store text character for character, without normalizing it", function*() {
    const users = yield* UserRepository
    const partner = yield* storeRootPartner()
    const user = { ...(yield* aUser().of(partner)), name: decomposedText }
    yield* users.insert(asOperator.inScope(partner.partner_id), user, exampleHash)
    assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, user))
    const after = {
      ...user,
      name: `${decomposedText} 2`,
      email: `${decomposedText.slice(0, 3)}.${user.email}` as Email
    }
    const found = yield* findUserForUpdate(partner, user)
    yield* users.update(found, after, asOperator.inScope(partner.partner_id))
    assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, after))
  })

  it("`findForUpdate` locks the user until the transaction ends, so that no update is lost", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner, { name: "0" })
    const increment = atomically(Effect.gen(function*() {
      const before = yield* findUserForUpdate(partner, user)
      yield* Effect.yieldNow
      const after = { ...userListItem(before.record), name: String(Number(before.record.name) + 1) }
      yield* repository.update(before, after, asOperator.inScope(partner.partner_id))
    }))
    yield* repeatInParallel(8, increment)
    assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, { ...user, name: "8" }))
  })

  it("`update` saves every field except the immutable ones, including the user's partner", function*() {
    const repository = yield* UserRepository
    const [root, left, right] = yield* storeForest([null, 0, 0], (index) => ({ name: `Parceiro ${index}` }))
    const user = yield* storeUser(left)
    const after = yield* aUser({
      partner_id: right.partner_id,
      user_id: user.user_id,
      name: "José Ângelo",
      phone: "2133334444",
      status: "INACTIVE",
      group: groupRecord(groupBySlug("operator")),
      must_change_password: true,
      created_at: later,
      metadata: exampleMetadata
    })
    yield* repository.update(yield* findUserForUpdate(root, user), after, asOperator.inScope(right.partner_id))
    const { cpf, created_at } = user
    assert.notStrictEqual(after.cpf, cpf)
    assert.notStrictEqual(after.created_at, created_at)
    assert.deepStrictEqual(yield* readUser(right, user), userDetailOf(right, { ...after, cpf, created_at }))
    assert.strictEqual(yield* readUser(left, user), "OutsideHierarchy")
  })

  it("`passwordHash` returns the stored hash; `setPassword` replaces the hash and no other field", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const [first, second] = ["$argon2id$first" as PasswordHash, "$argon2id$second" as PasswordHash]
    const user = yield* storeUser(partner, { must_change_password: true }, first)
    const otherUser = yield* storeUser(partner, {}, first)
    assert.strictEqual(yield* repository.passwordHash(yield* findUserForUpdate(partner, user)), first)
    yield* repository.setPassword(yield* findUserForUpdate(partner, user), second)
    assert.strictEqual(yield* repository.passwordHash(yield* findUserForUpdate(partner, user)), second)
    assert.strictEqual(yield* repository.passwordHash(yield* findUserForUpdate(partner, otherUser)), first)
    assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, user))
  })

  it("`insert`, `update`, `setPassword` and `remove` roll back with the surrounding transaction", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const owner = asOperator.inScope(partner.partner_id)
    const [updated, removed] = [yield* storeUser(partner), yield* storeUser(partner)]
    const hash = Effect.flatMap(findUserForUpdate(partner, updated), repository.passwordHash)
    const before = yield* hash
    const added = yield* aUser().of(partner)
    yield* rollBack(Effect.gen(function*() {
      yield* repository.insert(owner, added, before)
      yield* repository.update(yield* findUserForUpdate(partner, updated), { ...updated, name: "Outro Nome" }, owner)
      yield* repository.setPassword(yield* findUserForUpdate(partner, updated), "$argon2id$next" as PasswordHash)
      yield* removeUser(partner, removed)
    }))
    assert.strictEqual(yield* readUser(partner, added), "NotFound")
    for (const user of [updated, removed]) {
      assert.deepStrictEqual(yield* readUser(partner, user), userDetailOf(partner, user))
    }
    assert.strictEqual(yield* hash, before)
  })

  it("`remove` hides the user from every read", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    const kept = yield* storeUser(partner)
    yield* removeUser(partner, user)
    assert.strictEqual(yield* readUser(partner, user), "NotFound")
    assert.strictEqual(
      recordOrRefusal(yield* repository.findForUpdate(scopeOfPartner(partner), user.user_id)),
      "NotFound"
    )
    assert.deepStrictEqual(yield* repository.list(scopeOfPartner(partner), listQuery({})), {
      items: [kept],
      total: 1
    })
    assert.strictEqual((yield* (yield* PartnerRepository).dependents(asOperator.inScope(partner))).users, 1)
  })
}

const insert = (partner: PartnerDetail, user: UserListItem) =>
  UserRepository.use((users) => users.insert(asOperator.inScope(partner.partner_id), user, exampleHash))

const isEmailTaken = (result: Result.Result<unknown, { readonly _tag: string }>): boolean =>
  Result.isFailure(result) && result.failure._tag === "EmailTaken"

/** Contract cases for UserRepository: e-mail addresses, which are unique. */
export const userEmailCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it("T23 `insert` fails with EmailTaken when any live user has the same e-mail, ignoring case and Unicode form", function*() {
    const [root, child, stranger] = yield* storeForest([null, 0, null])
    const first = yield* storeUser(child, { email: `josé.${yield* freshId}@fácil.example` })
    const { email } = first
    const forms = [email, email.toUpperCase(), email.normalize("NFD"), email.normalize("NFD").toUpperCase()]
    forms.push(email.replace("fácil", "xn--fcil-5na"), email.replace("jos", "ｊｏſ"))
    for (const partner of [root, child, stranger]) {
      for (const form of forms) {
        const twin = { ...(yield* aUser().of(partner)), email: form }
        assert.isTrue(isEmailTaken(yield* Effect.result(insert(partner, twin))), form)
        assert.strictEqual(yield* readUser(partner, twin), "NotFound")
      }
    }
    assert.notStrictEqual(yield* readUser(child, first), "NotFound")
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
    const partner = yield* storeRootPartner()
    const email = `maria.${yield* freshId}@example.com`
    const attempt = Effect.gen(function*() {
      yield* atomically(insert(partner, yield* aUser({ email }).of(partner)))
    })
    const results = yield* repeatInParallel(4, Effect.result(attempt))
    assert.strictEqual(results.filter(Result.isSuccess).length, 1)
    assert.strictEqual(results.filter(isEmailTaken).length, 3)
  })

  it("T23 `update` fails with EmailTaken when another live user has the e-mail, ignoring case and Unicode form", function*() {
    const repository = yield* UserRepository
    const partner = yield* storeRootPartner()
    const { email } = yield* storeUser(partner, { email: `josé.${yield* freshId}@exemplo.com` })
    const user = yield* storeUser(partner)
    for (const form of [email, email.toUpperCase(), email.normalize("NFD")]) {
      const owner = asOperator.inScope(user.partner_id)
      const update = repository.update(yield* findUserForUpdate(partner, user), { ...user, email: form }, owner)
      const result = yield* Effect.result(update)
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
