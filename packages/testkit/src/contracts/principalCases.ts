import {
  ApiClientRepository,
  asOperator,
  groupBySlug,
  groupRecord,
  type PartnerDetail,
  PartnerRepository,
  type PasswordHash,
  type Principal,
  PrincipalRepository,
  type UserListItem,
  UserRepository
} from "@lastro/domain"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { aClient } from "../given/aClient.ts"
import { exampleHash } from "../given/aUser.ts"
import { freshId } from "../given/freshId.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenRoot } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { later } from "./partnersUnderTest.ts"
import { opened, scopeOfPartner } from "./read.ts"

const find = (kind: Principal["kind"], subject: string) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* PrincipalRepository).find(kind, subject))
  })

const byEmail = (email: string) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* PrincipalRepository).findByEmail(email))
  })

const withUser = (partner: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    return yield* opened((yield* UserRepository).findForUpdate(scopeOfPartner(partner), user.user_id))
  })

const update = (before: PartnerDetail, change: Partial<PartnerDetail>) =>
  Effect.gen(function*() {
    yield* (yield* PartnerRepository).update(asOperator.inScope(before), { ...before, ...change })
  })

/** The contract of PrincipalRepository. */
export const principalCases: ContractCases<
  ApiClientRepository | PartnerRepository | PrincipalRepository | UserRepository
> = (it) => {
  it("a user is found by id and by e-mail, as it stands now, with its hash", () =>
    Effect.gen(function*() {
      const [root, , leaf] = yield* givenForest([null, 0, 1])
      const hash = "$argon2id$one" as PasswordHash
      const viewer = groupRecord(groupBySlug("viewer"))
      const user = yield* givenUser(leaf, { group: viewer, must_change_password: true }, hash)
      const found = yield* find("user", user.user_id)
      assert.deepStrictEqual(found, {
        kind: "user",
        subject: user.user_id,
        partner_id: leaf.partner_id,
        root_id: root.partner_id,
        group_id: viewer.group_id,
        active: true,
        partners_active: true,
        credentials_version: found?.credentials_version ?? Number.NaN,
        must_change_password: true
      })
      assert.deepStrictEqual(yield* byEmail(user.email), { principal: found, hash })
    }))

  it("a client is found by its client_id, as it stands now, with its hash", () =>
    Effect.gen(function*() {
      const [root, child] = yield* givenForest([null, 0])
      const hash = "$argon2id$one" as PasswordHash
      const client = yield* aClient().of(child).inGroup("operator")
      yield* (yield* ApiClientRepository).insert(client, hash)
      const found = yield* find("client", client.client_id)
      assert.deepStrictEqual(found, {
        kind: "client",
        subject: client.client_id,
        partner_id: child.partner_id,
        root_id: root.partner_id,
        group_id: client.group_id,
        active: true,
        partners_active: true,
        credentials_version: found?.credentials_version ?? Number.NaN,
        must_change_password: false
      })
      assert.deepStrictEqual(
        Option.getOrNull(yield* (yield* PrincipalRepository).findByClientId(client.client_id)),
        { principal: found, hash }
      )
    }))

  it("nothing is found under an id, e-mail or client_id that is not there, nor under one of the other kind", () =>
    Effect.gen(function*() {
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner)
      const client = yield* aClient().of(partner)
      yield* (yield* ApiClientRepository).insert(client, exampleHash)
      assert.isNull(yield* find("user", yield* freshId))
      assert.isNull(yield* find("user", "not an id"))
      assert.isNull(yield* find("user", client.client_id))
      assert.isNull(yield* find("client", user.user_id))
      assert.isNull(yield* byEmail(`x${user.email}`))
      assert.isTrue(Option.isNone(yield* (yield* PrincipalRepository).findByClientId(user.user_id)))
    }))

  it("T23 a user is found by its e-mail in whatever letter case", () =>
    Effect.gen(function*() {
      const user = yield* givenUser(yield* givenRoot(), { email: `José.${yield* freshId}@Exemplo.com` })
      for (const email of [user.email.toUpperCase(), user.email.toLowerCase()]) {
        assert.strictEqual((yield* byEmail(email))?.principal.subject, user.user_id)
      }
    }))

  it("T08 deleted users are in no answer", () =>
    Effect.gen(function*() {
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner)
      assert.isNotNull(yield* find("user", user.user_id))
      assert.isNotNull(yield* byEmail(user.email))
      yield* (yield* UserRepository).remove(yield* withUser(partner, user), later)
      assert.isNull(yield* find("user", user.user_id))
      assert.isNull(yield* byEmail(user.email))
    }))

  it("T08 principals of a deleted partner are in no answer", () =>
    Effect.gen(function*() {
      const [, child] = yield* givenForest([null, 0])
      const client = yield* aClient().of(child)
      yield* (yield* ApiClientRepository).insert(client, exampleHash)
      const user = yield* givenUser(child)
      assert.isNotNull(yield* find("user", user.user_id))
      assert.isNotNull(yield* find("client", client.client_id))
      yield* (yield* PartnerRepository).remove(asOperator.inScope(child), later)
      assert.isNull(yield* find("user", user.user_id))
      assert.isNull(yield* byEmail(user.email))
      assert.isNull(yield* find("client", client.client_id))
      assert.isTrue(Option.isNone(yield* (yield* PrincipalRepository).findByClientId(client.client_id)))
    }))

  it("active is false for an inactive user", () =>
    Effect.gen(function*() {
      const user = yield* givenUser(yield* givenRoot(), { status: "INACTIVE" })
      const found = yield* find("user", user.user_id)
      assert.deepStrictEqual([found?.active, found?.partners_active], [false, true])
    }))

  it("partners_active is false exactly when its partner or any partner above that is inactive", () =>
    Effect.gen(function*() {
      const partners = yield* givenForest([null, 0, 1, 2, 1])
      const [, inactive] = partners
      const users = yield* Effect.forEach(partners, (partner) => givenUser(partner))
      const blocked = Effect.forEach(
        users,
        ({ user_id }) => Effect.map(find("user", user_id), (found) => found?.partners_active === false)
      )
      yield* update(inactive, { status: "inactive" })
      assert.deepStrictEqual(yield* blocked, [false, true, true, true, true])
      yield* update({ ...inactive, status: "inactive" }, { status: "active" })
      assert.deepStrictEqual(yield* blocked, [false, false, false, false, false])
    }))

  it("credentials_version counts the changes of the password, and of nothing else", () =>
    Effect.gen(function*() {
      const users = yield* UserRepository
      const partner = yield* givenRoot()
      const user = yield* givenUser(partner)
      const version = Effect.map(find("user", user.user_id), (found) => found?.credentials_version ?? Number.NaN)
      const first = yield* version
      const renamed = { ...user, name: "Outro Nome", must_change_password: true }
      yield* users.update(yield* withUser(partner, user), renamed, asOperator.inScope(partner.partner_id))
      assert.strictEqual(yield* version, first)
      yield* users.setPassword(yield* withUser(partner, user), "$argon2id$two" as PasswordHash)
      assert.strictEqual(yield* version, first + 1)
      yield* users.setPassword(yield* withUser(partner, user), "$argon2id$three" as PasswordHash)
      assert.strictEqual(yield* version, first + 2)
      assert.strictEqual((yield* byEmail(user.email))?.hash, "$argon2id$three")
    }))
}
