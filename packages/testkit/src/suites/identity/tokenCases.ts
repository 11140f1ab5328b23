import {
  type AccessClaims,
  accessTokenSeconds,
  clockSkewSeconds,
  type RefreshToken,
  RefreshTokenRepository,
  TokenSigner
} from "@lastro/domain/identity"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type UserRepository } from "@lastro/domain/user"
import { type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically, holdOpen, repeatInParallel, rollBack, runBehind } from "../suite/transactions.ts"

const muchLater = "2026-03-01T00:00:00.001Z" as Timestamp

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
  Effect.map(RefreshTokenRepository.use((tokens) => tokens.findForUpdate(token)), Option.getOrNull)

/** Contract cases for RefreshTokenRepository. */
export const refreshTokenCases: ContractCases<
  PartnerRepository | RefreshTokenRepository | UnitOfWork | UserRepository
> = (it) => {
  it("`findForUpdate` returns the record as inserted for its token, and for no other token", function*() {
    const { record, token } = yield* storeToken()
    yield* storeToken()
    assert.deepStrictEqual(yield* readToken(token), record)
    assert.isNull(yield* readToken(yield* aToken))
    assert.isNull(yield* readToken(Redacted.make(Redacted.value(token).toUpperCase())))
  })

  it("`spend` marks only this token as spent, with the time and the client", function*() {
    const { record, token } = yield* storeToken()
    const other = yield* storeToken({ family_id: record.family_id, user_id: record.user_id })
    const { spend } = yield* RefreshTokenRepository
    yield* spend(token, later, null)
    assert.deepStrictEqual(yield* readToken(token), { ...record, spent_at: later, spent_by: null })
    yield* spend(token, muchLater, "example-client")
    assert.deepStrictEqual(yield* readToken(token), { ...record, spent_at: muchLater, spent_by: "example-client" })
    assert.deepStrictEqual(yield* readToken(other.token), other.record)
  })

  it("`revokeFamily` revokes every token of the family, including spent ones, and keeps earlier revocation times", function*() {
    const repository = yield* RefreshTokenRepository
    const live = yield* storeToken()
    const { family_id, user_id } = live.record
    const spent = yield* storeToken({ family_id, user_id, spent_at: exampleInstant })
    const ended = yield* storeToken({ family_id, user_id, revoked_at: exampleInstant })
    const other = yield* storeToken({ user_id })
    yield* repository.revokeFamily(family_id, later)
    assert.deepStrictEqual(yield* readToken(live.token), { ...live.record, revoked_at: later })
    assert.deepStrictEqual(yield* readToken(spent.token), { ...spent.record, revoked_at: later })
    assert.deepStrictEqual(yield* readToken(ended.token), ended.record)
    assert.deepStrictEqual(yield* readToken(other.token), other.record)
    yield* repository.revokeFamily(family_id, muchLater)
    assert.deepStrictEqual(yield* readToken(live.token), { ...live.record, revoked_at: later })
  })

  it("`revokeUser` revokes every token of the user in all families, including spent ones, and keeps earlier revocation times", function*() {
    const live = yield* storeToken()
    const { user_id } = live.record
    const otherFamily = yield* storeToken({ user_id })
    const spent = yield* storeToken({ user_id, spent_at: exampleInstant })
    const ended = yield* storeToken({ user_id, revoked_at: exampleInstant })
    const other = yield* storeToken()
    yield* (yield* RefreshTokenRepository).revokeUser(user_id, later)
    for (const { record, token } of [live, otherFamily, spent]) {
      assert.deepStrictEqual(yield* readToken(token), { ...record, revoked_at: later })
    }
    assert.deepStrictEqual(yield* readToken(ended.token), ended.record)
    assert.deepStrictEqual(yield* readToken(other.token), other.record)
  })

  for (const method of ["revokeFamily", "revokeUser"] as const) {
    it(`\`${method}\` also revokes the successor of a token that is exchanged at the same time`, function*() {
      const repository = yield* RefreshTokenRepository
      const { record, token } = yield* storeToken()
      const successor = yield* aToken
      const exchange = Effect.gen(function*() {
        yield* readToken(token)
        yield* repository.spend(token, later, null)
        yield* repository.insert(successor, record)
      })
      const held = yield* holdOpen(exchange)
      const revoke = method === "revokeUser"
        ? repository.revokeUser(record.user_id, muchLater)
        : repository.revokeFamily(record.family_id, muchLater)
      yield* runBehind(held, atomically(revoke))
      for (const revoked of [token, successor]) {
        assert.strictEqual((yield* readToken(revoked))?.revoked_at, muchLater)
      }
    })
  }

  it("`lockUser` makes `revokeUser` wait until the transaction ends, and the other way round", function*() {
    const repository = yield* RefreshTokenRepository
    const { record, token } = yield* storeToken()
    const { user_id } = record
    const added = yield* aToken
    const starting = yield* holdOpen(Effect.andThen(repository.lockUser(user_id), repository.insert(added, record)))
    yield* runBehind(starting, atomically(repository.revokeUser(user_id, later)))
    for (const revoked of [token, added]) assert.strictEqual((yield* readToken(revoked))?.revoked_at, later)

    const third = yield* storeToken({ user_id })
    const revoking = yield* holdOpen(repository.revokeUser(user_id, later))
    const lockAndRead = atomically(Effect.andThen(repository.lockUser(user_id), readToken(third.token)))
    assert.deepStrictEqual(yield* runBehind(revoking, lockAndRead), { ...third.record, revoked_at: later })
  })

  it("`findForUpdate` locks the token until the transaction ends: only one concurrent exchange finds the token unspent", function*() {
    const repository = yield* RefreshTokenRepository
    const { token } = yield* storeToken()
    const exchange = atomically(Effect.gen(function*() {
      const unspent = (yield* readToken(token))?.spent_at === null
      yield* Effect.yieldNow
      if (unspent) yield* repository.spend(token, later, null)
      return unspent
    }))
    const exchanges = yield* repeatInParallel(6, exchange)
    assert.strictEqual(exchanges.filter((unspent) => unspent).length, 1)
  })

  it("`insert`, `spend` and `revokeFamily` roll back with the surrounding transaction", function*() {
    const repository = yield* RefreshTokenRepository
    const { record, token } = yield* storeToken()
    const added = yield* aToken
    yield* rollBack(Effect.gen(function*() {
      yield* repository.insert(added, record)
      yield* repository.spend(token, later, null)
      yield* repository.revokeFamily(record.family_id, later)
    }))
    assert.isNull(yield* readToken(added))
    assert.deepStrictEqual(yield* readToken(token), record)
  })
}

const claims: AccessClaims = {
  sub: "01900000-0000-7000-8000-00000000a001",
  client_id: "lastro",
  group: "admin",
  scope: "partners:read users:read",
  partner_snapshot_uuid: "01900000-0000-7000-8000-00000000a002",
  credentials_version: 3
}

const setClock = TestClock.setTime(Date.UTC(2026, 0, 31, 12))

/** Verifies a token. Returns "valid", or the reason of the refusal. */
const verifyToken = (token: string) =>
  Effect.gen(function*() {
    const result = yield* Effect.result((yield* TokenSigner).verify(token))
    return Result.isFailure(result) ? result.failure.reason : "valid"
  })

/** Contract cases for TokenSigner. Uses the test clock. */
export const tokenSignerCases: ContractCases<TokenSigner> = (it) => {
  it("`verify` returns the claims of a token that `sign` issued", function*() {
    yield* setClock
    const signer = yield* TokenSigner
    const ofClient = { ...claims, sub: "example-client", client_id: "example-client", scope: "" }
    const tokens = [yield* signer.sign(claims), yield* signer.sign(ofClient)]
    assert.deepStrictEqual(yield* Effect.forEach(tokens, signer.verify), [claims, ofClient])
  })

  it("T07 a token expires 900 s after its issue, plus the allowed clock skew", function*() {
    yield* setClock
    const token = yield* (yield* TokenSigner).sign(claims)
    yield* TestClock.adjust((accessTokenSeconds - 1) * 1000)
    assert.strictEqual(yield* verifyToken(token), "valid")
    yield* TestClock.adjust((1 + clockSkewSeconds) * 1000)
    assert.strictEqual(yield* verifyToken(token), "expired")
  })

  it("T05 `verify` rejects empty text, arbitrary text and every altered token", function*() {
    yield* setClock
    const token = yield* (yield* TokenSigner).sign(claims)
    const altered = Array.from(
      { length: token.length - 1 },
      (_, index) => token.slice(0, index) + (token.charAt(index) === "A" ? "B" : "A") + token.slice(index + 1)
    )
    for (const text of ["", ".", "..", "a.b.c", `${token}A`, ` ${token}`, token.slice(1), ...altered]) {
      assert.include(["malformed", "signature", "claims"], yield* verifyToken(text), text)
    }
  })
}
