import { type FailedLogin, LoginAttempts } from "@lastro/domain/identity"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { rollBack } from "../suite/transactions.ts"

const start = Date.UTC(2026, 0, 31, 12)
const since = timestampOf(start)

/** Builds a failed login some seconds after `start`. */
const failure = (username: string, ip: string, second: number): FailedLogin => ({
  username,
  ip,
  at: timestampOf(start + second * 1000)
})

const record = (failures: ReadonlyArray<FailedLogin>) =>
  Effect.gen(function*() {
    const attempts = yield* LoginAttempts
    yield* Effect.forEach(failures, attempts.record, { discard: true })
  })

const secondsOf = (failures: ReadonlyArray<FailedLogin>): ReadonlyArray<number> =>
  failures.map(({ at }) => (Date.parse(at) - start) / 1000).toSorted((a, b) => a - b)

const range = (length: number, from = 0): ReadonlyArray<number> => Array.from({ length }, (_, index) => from + index)

/** Contract cases for LoginAttempts. */
export const loginAttemptsCases: ContractCases<LoginAttempts | UnitOfWork> = (it) => {
  it("`failures` returns the failures of the username from all IP addresses, and of no other username", function*() {
    const attempts = yield* LoginAttempts
    const [ana, bia] = [yield* freshId, yield* freshId]
    const ofAna = [failure(ana, "192.0.2.1", 1), failure(ana, "2001:db8::1", 2), failure(ana, "192.0.2.1", 3)]
    yield* record([...ofAna, failure(bia, "192.0.2.1", 4)])
    assert.sameDeepMembers([...(yield* attempts.failures(ana, "192.0.2.1", since))], ofAna)
    assert.sameDeepMembers([...(yield* attempts.failures(ana, "198.51.100.1", since))], ofAna)
    assert.deepStrictEqual(yield* attempts.failures(yield* freshId, "192.0.2.1", since), [])
  })

  it("`failures` returns the failures at or after `since`, with millisecond precision", function*() {
    const attempts = yield* LoginAttempts
    const username = yield* freshId
    const times = [-1, 0, 1].map((offset) => timestampOf(start + offset))
    yield* record(times.map((at) => ({ username, ip: "192.0.2.1", at })))
    const found = yield* attempts.failures(username, "192.0.2.1", since)
    assert.sameMembers(found.map(({ at }) => at), times.slice(1) as Array<Timestamp>)
  })

  it("`failures` returns the newest 50 failures if there are more", function*() {
    const username = yield* freshId
    yield* record(range(60).map((second) => failure(username, `192.0.2.${second % 3}`, second)))
    const found = yield* (yield* LoginAttempts).failures(username, "192.0.2.0", since)
    assert.deepStrictEqual(secondsOf(found), range(50, 10))
  })

  it("T36 `failures` includes the last five failures from the IP address, even if 50 others are newer", function*() {
    const username = yield* freshId
    yield* record(range(7).map((second) => failure(username, "198.51.100.1", second)))
    yield* record(range(60, 10).map((second) => failure(username, "192.0.2.1", second)))
    const found = yield* (yield* LoginAttempts).failures(username, "198.51.100.1", since)
    assert.deepStrictEqual(secondsOf(found), [...range(5, 2), ...range(45, 25)])
  })

  it("equal failures count separately", function*() {
    const username = yield* freshId
    yield* record(range(3).map(() => failure(username, "192.0.2.1", 1)))
    assert.strictEqual((yield* (yield* LoginAttempts).failures(username, "192.0.2.1", since)).length, 3)
  })

  it("`clear` deletes only the failures of this username from this IP address", function*() {
    const attempts = yield* LoginAttempts
    const [ana, bia] = [yield* freshId, yield* freshId]
    const [otherAddress, otherUser] = [failure(ana, "192.0.2.2", 3), failure(bia, "192.0.2.1", 4)]
    yield* record([failure(ana, "192.0.2.1", 1), failure(ana, "192.0.2.1", 2), otherAddress, otherUser])
    yield* attempts.clear(ana, "192.0.2.1")
    assert.deepStrictEqual(yield* attempts.failures(ana, "192.0.2.1", since), [otherAddress])
    assert.deepStrictEqual(yield* attempts.failures(bia, "192.0.2.1", since), [otherUser])
  })

  it("a recorded failure survives the rollback of a later transaction that reads it", function*() {
    const attempts = yield* LoginAttempts
    const username = yield* freshId
    yield* attempts.record(failure(username, "192.0.2.1", 1))
    yield* rollBack(Effect.gen(function*() {
      assert.strictEqual((yield* attempts.failures(username, "192.0.2.1", since)).length, 1)
    }))
    assert.strictEqual((yield* attempts.failures(username, "192.0.2.1", since)).length, 1)
  })

  it("a failure recorded inside a transaction survives its rollback", function*() {
    const attempts = yield* LoginAttempts
    const username = yield* freshId
    yield* rollBack(attempts.record(failure(username, "192.0.2.1", 1)))
    assert.strictEqual((yield* attempts.failures(username, "192.0.2.1", since)).length, 1)
  })
}
