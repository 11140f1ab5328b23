import { groupBySlug, groupRecord } from "@lastro/domain/access"
import { asOperator } from "@lastro/domain/hierarchy"
import {
  ApiClientRepository,
  type PasswordHash,
  type Principal,
  PrincipalRepository,
  type RefreshToken,
  RefreshTokenRepository
} from "@lastro/domain/identity"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UserListItem, UserRepository } from "@lastro/domain/user"
import { assert } from "chai"
import { Effect, Option, Redacted } from "effect"
import { aClient } from "../../builders/aClient.ts"
import { exampleHash } from "../../builders/aUser.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { findUserForUpdate, later } from "../suite/storedRecords.ts"

/** Finds a principal by kind and subject; null if there is none. */
const findPrincipal = (kind: Principal["kind"], subject: string) =>
  Effect.map(PrincipalRepository.use((principals) => principals.find(kind, subject)), Option.getOrNull)

/** Finds a user and the password hash by e-mail address; null if there is none. */
const findByEmail = (email: string) =>
  Effect.map(PrincipalRepository.use((principals) => principals.findByEmail(email)), Option.getOrNull)

/** Contract cases for PrincipalRepository: find methods. */
export const principalCases: ContractCases<
  ApiClientRepository | PartnerRepository | PrincipalRepository | RefreshTokenRepository | UserRepository
> = (it) => {
  it("`find` and `findByEmail` return the current state of a user; `findByEmail` also returns its password hash", function*() {
    const [root, , leaf] = yield* storeForest([null, 0, 1])
    const hash = "$argon2id$one" as PasswordHash
    const viewer = groupRecord(groupBySlug("viewer"))
    const user = yield* storeUser(leaf, { group: viewer, must_change_password: true }, hash)
    const found = yield* findPrincipal("user", user.user_id)
    if (found === null) return assert.fail("the user is not found")
    assert.deepStrictEqual(found, {
      kind: "user",
      subject: user.user_id,
      partner_id: leaf.partner_id,
      root_id: root.partner_id,
      group_id: viewer.group_id,
      active: true,
      partners_active: true,
      credentials_version: found.credentials_version,
      must_change_password: true
    })
    assert.deepStrictEqual(yield* findByEmail(user.email), { principal: found, hash })
    const operator = groupRecord(groupBySlug("operator"))
    const changed: Partial<UserListItem> = { group: operator, status: "INACTIVE", must_change_password: false }
    yield* (yield* UserRepository).update(
      yield* findUserForUpdate(leaf, user),
      { ...user, ...changed },
      asOperator.inScope(root.partner_id)
    )
    const after = {
      ...found,
      partner_id: root.partner_id,
      group_id: operator.group_id,
      active: false,
      must_change_password: false
    }
    assert.deepStrictEqual(yield* findPrincipal("user", user.user_id), after)
    assert.deepStrictEqual(yield* findByEmail(user.email), { principal: after, hash })
  })

  it("`find` and `findByClientId` return the current state of a client; `findByClientId` also returns its secret hash", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const hash = "$argon2id$one" as PasswordHash
    const client = yield* aClient().of(child).inGroup("operator")
    yield* (yield* ApiClientRepository).insert(client, hash)
    const found = yield* findPrincipal("client", client.client_id)
    if (found === null) return assert.fail("the client is not found")
    assert.deepStrictEqual(found, {
      kind: "client",
      subject: client.client_id,
      partner_id: child.partner_id,
      root_id: root.partner_id,
      group_id: client.group_id,
      active: true,
      partners_active: true,
      credentials_version: found.credentials_version,
      must_change_password: false
    })
    assert.deepStrictEqual(
      Option.getOrNull(yield* (yield* PrincipalRepository).findByClientId(client.client_id)),
      { principal: found, hash }
    )
  })

  it("the find methods return nothing for an unknown id, e-mail or client_id, or for the id of the other kind of principal", function*() {
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    const client = yield* aClient().of(partner)
    yield* (yield* ApiClientRepository).insert(client, exampleHash)
    assert.isNull(yield* findPrincipal("user", yield* freshId))
    assert.isNull(yield* findPrincipal("user", "not an id"))
    assert.isNull(yield* findPrincipal("user", client.client_id))
    assert.isNull(yield* findPrincipal("client", user.user_id))
    assert.isNull(yield* findByEmail(`x${user.email}`))
    assert.isTrue(Option.isNone(yield* (yield* PrincipalRepository).findByClientId(user.user_id)))
  })

  it("`find` and `findByClientId` distinguish the letter case of a client_id", function*() {
    const principals = yield* PrincipalRepository
    const client = yield* aClient().of(yield* storeRootPartner())
    yield* (yield* ApiClientRepository).insert(client, exampleHash)
    const upperCase = client.client_id.toUpperCase()
    assert.isNull(yield* findPrincipal("client", upperCase))
    assert.isTrue(Option.isNone(yield* principals.findByClientId(upperCase)))
  })

  it("`findWhile` returns the same as `find`, and the result of the other effect", function*() {
    const principals = yield* PrincipalRepository
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    const client = yield* aClient().of(partner)
    yield* (yield* ApiClientRepository).insert(client, exampleHash)
    for (const [kind, subject] of [["user", user.user_id], ["client", client.client_id], ["user", "x"]] as const) {
      const other = principals.findByEmail(user.email)
      const [principal, result] = yield* principals.findWhile(kind, subject, other)
      assert.deepStrictEqual(Option.getOrNull(principal), yield* findPrincipal(kind, subject))
      assert.deepStrictEqual(result, yield* other)
    }
  })

  it("`find` and `findWhile` return `session_ended` if no refresh token of the session is live", function*() {
    const principals = yield* PrincipalRepository
    const tokens = yield* RefreshTokenRepository
    const { user_id } = yield* storeUser(yield* storeRootPartner())
    const session = yield* freshId
    const record: RefreshToken = {
      family_id: session,
      user_id,
      scope: "users:read",
      issued_at: exampleInstant,
      credentials_version: 1,
      spent_at: later,
      spent_by: null,
      revoked_at: null
    }
    const isEnded = Effect.gen(function*() {
      const found = yield* principals.find("user", user_id, session)
      const [foundWhile] = yield* principals.findWhile("user", user_id, Effect.void, session)
      assert.deepStrictEqual(foundWhile, found)
      return Option.getOrNull(found)?.session_ended
    })
    assert.isTrue(yield* isEnded, "an unknown session")
    yield* tokens.insert(Redacted.make(`example_${session}`), record)
    assert.isUndefined(yield* isEnded)
    yield* tokens.revokeFamily(session, later)
    assert.isTrue(yield* isEnded)
    assert.isUndefined((yield* findPrincipal("user", user_id))?.session_ended)
  })

  it("T23 `findByEmail` ignores case, compatible forms, and whether the domain is in ASCII", function*() {
    const user = yield* storeUser(yield* storeRootPartner(), { email: `José.${yield* freshId}@Fácil.example` })
    const forms = [user.email.replace("Fácil", "xn--fcil-5na"), user.email.replace("Jos", "Ｊoſ")]
    for (const email of [user.email.toUpperCase(), user.email.toLowerCase(), ...forms]) {
      assert.strictEqual((yield* findByEmail(email))?.principal.subject, user.user_id)
    }
  })

  it("T08 removed users are not found", function*() {
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    assert.isNotNull(yield* findPrincipal("user", user.user_id))
    assert.isNotNull(yield* findByEmail(user.email))
    yield* (yield* UserRepository).remove(yield* findUserForUpdate(partner, user), later)
    assert.isNull(yield* findPrincipal("user", user.user_id))
    assert.isNull(yield* findByEmail(user.email))
  })

  it("T08 principals of a removed partner are not found", function*() {
    const [, child] = yield* storeForest([null, 0])
    const client = yield* aClient().of(child)
    yield* (yield* ApiClientRepository).insert(client, exampleHash)
    const user = yield* storeUser(child)
    assert.isNotNull(yield* findPrincipal("user", user.user_id))
    assert.isNotNull(yield* findPrincipal("client", client.client_id))
    yield* (yield* PartnerRepository).remove(asOperator.inScope(child), later)
    assert.isNull(yield* findPrincipal("user", user.user_id))
    assert.isNull(yield* findByEmail(user.email))
    assert.isNull(yield* findPrincipal("client", client.client_id))
    assert.isTrue(Option.isNone(yield* (yield* PrincipalRepository).findByClientId(client.client_id)))
  })
}

const updatePartner = (before: PartnerDetail, change: Partial<PartnerDetail>) =>
  PartnerRepository.use((partners) => partners.update(asOperator.inScope(before), { ...before, ...change }))

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
    const readBlocked = Effect.forEach(users, ({ email, user_id }) =>
      Effect.gen(function*() {
        const found = yield* findPrincipal("user", user_id)
        assert.deepStrictEqual((yield* findByEmail(email))?.principal, found ?? undefined)
        return found?.partners_active === false
      }))
    yield* updatePartner(inactive, { status: "inactive" })
    assert.deepStrictEqual(yield* readBlocked, [false, true, true, true, true])
    yield* updatePartner({ ...inactive, status: "inactive" }, { status: "active" })
    assert.deepStrictEqual(yield* readBlocked, [false, false, false, false, false])
  })

  it("`credentials_version` is 0 for a new user, and incremented by password changes only", function*() {
    const users = yield* UserRepository
    const partner = yield* storeRootPartner()
    const user = yield* storeUser(partner)
    const version = Effect.map(findPrincipal("user", user.user_id), (found) => found?.credentials_version)
    assert.strictEqual(yield* version, 0)
    const renamed = { ...user, name: "Outro Nome", must_change_password: true }
    yield* users.update(yield* findUserForUpdate(partner, user), renamed, asOperator.inScope(partner.partner_id))
    assert.strictEqual(yield* version, 0)
    yield* users.setPassword(yield* findUserForUpdate(partner, user), "$argon2id$two" as PasswordHash)
    assert.strictEqual(yield* version, 1)
    yield* users.setPassword(yield* findUserForUpdate(partner, user), "$argon2id$three" as PasswordHash)
    assert.strictEqual(yield* version, 2)
    assert.strictEqual((yield* findByEmail(user.email))?.hash, "$argon2id$three")
  })
}
