import {
  type PartnerRepository,
  type RefreshToken,
  RefreshTokenRepository,
  type Timestamp,
  UnitOfWork,
  type UserRepository
} from "@lastro/domain"
import { assert } from "chai"
import { Effect, Option, Redacted } from "effect"
import { exampleInstant, freshId } from "../../given/Fresh.ts"
import { givenRoot, givenUser } from "../../given/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

const later = "2026-02-01T00:00:00.001Z" as Timestamp
const muchLater = "2026-03-01T00:00:00.000Z" as Timestamp

const aToken = Effect.map(freshId, (id) => Redacted.make(`example_${id}`))

/** Adds a refresh token of a user of its own; the fields given replace the example's. */
const givenToken = Effect.fnUntraced(function*(fields: Partial<RefreshToken> = {}) {
  const token = yield* aToken
  const { user_id } = yield* givenUser(yield* givenRoot())
  const record: RefreshToken = {
    family_id: yield* freshId,
    user_id,
    scope: "partners:read users:read",
    issued_at: exampleInstant,
    credentials_version: 3,
    spent_at: null,
    revoked_at: null,
    ...fields
  }
  yield* (yield* RefreshTokenRepository).insert(token, record)
  return { token, record }
})

const reread = (token: Redacted.Redacted) =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* RefreshTokenRepository).findForUpdate(token))
  })

/** The contract of RefreshTokenRepository. */
export const refreshTokenCases: ContractCases<
  PartnerRepository | RefreshTokenRepository | UnitOfWork | UserRepository
> = (it) => {
  it("the record of a token is found by the token, as it was inserted, and by no other", () =>
    Effect.gen(function*() {
      const { record, token } = yield* givenToken()
      const { record: beside } = yield* givenToken()
      assert.deepStrictEqual(yield* reread(token), record)
      assert.notDeepEqual(yield* reread(token), beside)
      assert.isNull(yield* reread(yield* aToken))
      assert.isNull(yield* reread(Redacted.make(Redacted.value(token).toUpperCase())))
    }))

  it("spend says when a token was exchanged, of this token alone", () =>
    Effect.gen(function*() {
      const { record, token } = yield* givenToken()
      const beside = yield* givenToken({ family_id: record.family_id, user_id: record.user_id })
      yield* (yield* RefreshTokenRepository).spend(token, later)
      assert.deepStrictEqual(yield* reread(token), { ...record, spent_at: later })
      assert.deepStrictEqual(yield* reread(beside.token), beside.record)
    }))

  it("revokeFamily ends every token of a family that has not ended yet, spent ones too, and no other", () =>
    Effect.gen(function*() {
      const repository = yield* RefreshTokenRepository
      const one = yield* givenToken()
      const { family_id, user_id } = one.record
      const spent = yield* givenToken({ family_id, user_id, spent_at: exampleInstant })
      const ended = yield* givenToken({ family_id, user_id, revoked_at: exampleInstant })
      const other = yield* givenToken({ user_id })
      yield* repository.revokeFamily(family_id, later)
      assert.deepStrictEqual(yield* reread(one.token), { ...one.record, revoked_at: later })
      assert.deepStrictEqual(yield* reread(spent.token), { ...spent.record, revoked_at: later })
      assert.deepStrictEqual(yield* reread(ended.token), ended.record)
      assert.deepStrictEqual(yield* reread(other.token), other.record)
      yield* repository.revokeFamily(family_id, muchLater)
      assert.deepStrictEqual(yield* reread(one.token), { ...one.record, revoked_at: later })
    }))

  it("revokeUser ends every token of a user that has not ended yet, over all families, and no other", () =>
    Effect.gen(function*() {
      const one = yield* givenToken()
      const { user_id } = one.record
      const second = yield* givenToken({ user_id })
      const spent = yield* givenToken({ user_id, spent_at: exampleInstant })
      const ended = yield* givenToken({ user_id, revoked_at: exampleInstant })
      const other = yield* givenToken()
      yield* (yield* RefreshTokenRepository).revokeUser(user_id, later)
      assert.deepStrictEqual(yield* reread(one.token), { ...one.record, revoked_at: later })
      for (const { record, token } of [second, spent]) {
        assert.deepStrictEqual(yield* reread(token), { ...record, revoked_at: later })
      }
      assert.deepStrictEqual(yield* reread(ended.token), ended.record)
      assert.deepStrictEqual(yield* reread(other.token), other.record)
    }))

  it("until the transaction ends nobody else finds the same token: of exchanges at once one finds it unspent", () =>
    Effect.gen(function*() {
      const repository = yield* RefreshTokenRepository
      const unit = yield* UnitOfWork
      const { token } = yield* givenToken()
      const exchange = unit.atomically(Effect.gen(function*() {
        const unspent = (yield* reread(token))?.spent_at === null
        yield* Effect.yieldNow
        if (unspent) yield* repository.spend(token, later)
        return unspent
      }))
      const exchanges = yield* Effect.all(Array.from({ length: 6 }, () => exchange), { concurrency: "unbounded" })
      assert.strictEqual(exchanges.filter((unspent) => unspent).length, 1)
    }))

  it("writes take part in the transaction around them", () =>
    Effect.gen(function*() {
      const repository = yield* RefreshTokenRepository
      const { record, token } = yield* givenToken()
      const added = yield* aToken
      yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* repository.insert(added, record)
        yield* repository.spend(token, later)
        yield* repository.revokeFamily(record.family_id, later)
        return yield* Effect.die("undone")
      })))
      assert.isNull(yield* reread(added))
      assert.deepStrictEqual(yield* reread(token), record)
    }))
}
