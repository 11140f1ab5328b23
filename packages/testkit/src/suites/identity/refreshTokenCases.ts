import { type RefreshToken, RefreshTokenRepository } from "@lastro/domain/identity"
import { type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { type UserRepository } from "@lastro/domain/user"
import { type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option, Redacted } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

const later = "2026-02-01T00:00:00.001Z" as Timestamp
const muchLater = "2026-03-01T00:00:00.000Z" as Timestamp

const aToken = Effect.map(freshId, (id) => Redacted.make(`example_${id}`))

/** Stores a refresh token of a new user. `fields` override the defaults. */
const storeToken = Effect.fnUntraced(function*(fields: Partial<RefreshToken> = {}) {
  const token = yield* aToken
  const { user_id } = yield* storeUser(yield* storeRootPartner())
  const record: RefreshToken = {
    family_id: yield* freshId,
    user_id,
    scope: "partners:read users:read",
    issued_at: exampleInstant,
    credentials_version: 3,
    spent_at: null,
    spent_by: null,
    revoked_at: null,
    ...fields
  }
  yield* (yield* RefreshTokenRepository).insert(token, record)
  return { token, record }
})

const readToken = (token: Redacted.Redacted) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* RefreshTokenRepository).findForUpdate(token))
  })

/** Contract cases for RefreshTokenRepository. */
export const refreshTokenCases: ContractCases<
  PartnerRepository | RefreshTokenRepository | UnitOfWork | UserRepository
> = (it) => {
  it("`findForUpdate` returns the record as inserted for its token, and for no other token", function*() {
    const { record, token } = yield* storeToken()
    const { record: beside } = yield* storeToken()
    assert.deepStrictEqual(yield* readToken(token), record)
    assert.notDeepEqual(yield* readToken(token), beside)
    assert.isNull(yield* readToken(yield* aToken))
    assert.isNull(yield* readToken(Redacted.make(Redacted.value(token).toUpperCase())))
  })

  it("`spend` marks only this token as spent, with the time and the client", function*() {
    const { record, token } = yield* storeToken()
    const beside = yield* storeToken({ family_id: record.family_id, user_id: record.user_id })
    const { spend } = yield* RefreshTokenRepository
    yield* spend(token, later, null)
    assert.deepStrictEqual(yield* readToken(token), { ...record, spent_at: later, spent_by: null })
    yield* spend(token, muchLater, "example-client")
    assert.deepStrictEqual(yield* readToken(token), { ...record, spent_at: muchLater, spent_by: "example-client" })
    assert.deepStrictEqual(yield* readToken(beside.token), beside.record)
  })

  it("`revokeFamily` revokes every token of the family, including spent ones, and keeps earlier revocation times", function*() {
    const repository = yield* RefreshTokenRepository
    const one = yield* storeToken()
    const { family_id, user_id } = one.record
    const spent = yield* storeToken({ family_id, user_id, spent_at: exampleInstant })
    const ended = yield* storeToken({ family_id, user_id, revoked_at: exampleInstant })
    const other = yield* storeToken({ user_id })
    yield* repository.revokeFamily(family_id, later)
    assert.deepStrictEqual(yield* readToken(one.token), { ...one.record, revoked_at: later })
    assert.deepStrictEqual(yield* readToken(spent.token), { ...spent.record, revoked_at: later })
    assert.deepStrictEqual(yield* readToken(ended.token), ended.record)
    assert.deepStrictEqual(yield* readToken(other.token), other.record)
    yield* repository.revokeFamily(family_id, muchLater)
    assert.deepStrictEqual(yield* readToken(one.token), { ...one.record, revoked_at: later })
  })

  it("`revokeUser` revokes every token of the user in all families, including spent ones, and keeps earlier revocation times", function*() {
    const one = yield* storeToken()
    const { user_id } = one.record
    const second = yield* storeToken({ user_id })
    const spent = yield* storeToken({ user_id, spent_at: exampleInstant })
    const ended = yield* storeToken({ user_id, revoked_at: exampleInstant })
    const other = yield* storeToken()
    yield* (yield* RefreshTokenRepository).revokeUser(user_id, later)
    assert.deepStrictEqual(yield* readToken(one.token), { ...one.record, revoked_at: later })
    for (const { record, token } of [second, spent]) {
      assert.deepStrictEqual(yield* readToken(token), { ...record, revoked_at: later })
    }
    assert.deepStrictEqual(yield* readToken(ended.token), ended.record)
    assert.deepStrictEqual(yield* readToken(other.token), other.record)
  })

  it("`findForUpdate` locks the token until the transaction ends: only one concurrent exchange finds the token unspent", function*() {
    const repository = yield* RefreshTokenRepository
    const unit = yield* UnitOfWork
    const { token } = yield* storeToken()
    const exchange = unit.atomically(Effect.gen(function*() {
      const unspent = (yield* readToken(token))?.spent_at === null
      yield* Effect.yieldNow
      if (unspent) yield* repository.spend(token, later, null)
      return unspent
    }))
    const exchanges = yield* Effect.all(Array.from({ length: 6 }, () => exchange), { concurrency: "unbounded" })
    assert.strictEqual(exchanges.filter((unspent) => unspent).length, 1)
  })

  it("`insert`, `spend` and `revokeFamily` roll back with the surrounding transaction", function*() {
    const repository = yield* RefreshTokenRepository
    const { record, token } = yield* storeToken()
    const added = yield* aToken
    yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* repository.insert(added, record)
      yield* repository.spend(token, later, null)
      yield* repository.revokeFamily(record.family_id, later)
      return yield* Effect.die("rollback")
    })))
    assert.isNull(yield* readToken(added))
    assert.deepStrictEqual(yield* readToken(token), record)
  })
}
