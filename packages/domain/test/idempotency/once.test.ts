import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, MutableRef, Schema } from "effect"
import { TestClock } from "effect/testing"
import { createCaller } from "../../src/access/Caller.ts"
import { groupBySlug } from "../../src/access/Group.ts"
import { IdempotencyStore } from "../../src/idempotency/IdempotencyStore.ts"
import { CurrentIdempotencyKey } from "../../src/idempotency/runOnce.ts"
import { ValidationFailed } from "../../src/input/FieldProblem.ts"
import { createPartner } from "../../src/partner/CreatePartner.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { createUser } from "../../src/user/CreateUser.ts"
import { deleteUser } from "../../src/user/DeleteUser.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { UserRepository } from "../../src/user/UserRepository.ts"
import { type PartnerId, UserId } from "../../src/values/ids.ts"
import {
  callerOf,
  expectRefusal,
  outcomeOf,
  permit,
  permitUserPatch,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const body = (name: string, document_number = "11222333000181") => ({
  partner: { type: "pj", name, email: "nova@example.com", phone: "1133334444", document_number }
})

const newcomer = {
  name: "Bia Nova",
  email: "bia@example.com",
  phone: "1133334444",
  cpf: "52998224725",
  group_id: groupBySlug("viewer").group_id
}

/** Runs an effect as a request with a key. Returns its result and if it was a replay. */
const withKey = (key: string, request: unknown) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const replayed = MutableRef.make(false)
    const current = { key, fingerprint: JSON.stringify(request), replayed }
    return Effect.map(Effect.provideService(effect, CurrentIdempotencyKey, current), (answer) => ({
      answer,
      replayed: MutableRef.get(replayed)
    }))
  })

const partnersNow = Effect.flatMap(MemoryDatabase, ({ state }) => Effect.map(state, ({ partners }) => partners.size))

describe("runOnce", () => {
  it.effect("IDEM-01 a repeated request returns the first answer and runs once", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const request = withKey("k", 1)(createPartner(allowed, body("Nova")))
      const first = yield* request
      const { state } = yield* MemoryDatabase
      const after = yield* state
      yield* TestClock.adjust("1 hour")
      const second = yield* request
      assert.deepStrictEqual(first, { answer: first.answer, replayed: false })
      assert.deepStrictEqual(second, { answer: first.answer, replayed: true })
      assert.deepStrictEqual(yield* state, after)
    })))

  it.effect("IDEM-01 the first answer is replayed unchanged, even if the record has changed since", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const request = withKey("k", 1)(createPartner(allowed, body("Nova")))
      const { answer } = yield* request
      yield* updatePartner(allowed, answer.partner_id, { partner: { name: "Outra" } })
      assert.deepStrictEqual((yield* request).answer, answer)
    })))

  it.effect("IDEM-01 an invalid key is rejected and nothing runs", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const wrong = new ValidationFailed({ problems: [{ field: "header.Idempotency-Key", code: "INVALID_FORMAT" }] })
      yield* expectRefusal(
        Effect.provideService(createPartner(allowed, body("Nova")), CurrentIdempotencyKey, wrong),
        "header.Idempotency-Key INVALID_FORMAT"
      )
    })))

  it.effect("T51 IDEM-01 another request with the same key is rejected, valid or not", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* withKey("k", 1)(createPartner(allowed, body("Nova")))
      for (const other of [body("Outra", "11444777000161"), {}, null]) {
        yield* expectRefusal(withKey("k", 2)(createPartner(allowed, other)), "IdempotencyKeyReused")
      }
    })))

  it.effect("IDEM-01 a refusal does not consume the key: a corrected request may reuse it", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* expectRefusal(withKey("k", 1)(createPartner(allowed, body(""))), "partner.name TOO_SHORT")
      const mended = yield* withKey("k", 2)(createPartner(allowed, body("Nova")))
      assert.isFalse(mended.replayed)
      yield* expectRefusal(withKey("k", 1)(createPartner(allowed, body(""))), "IdempotencyKeyReused")
      yield* expectRefusal(withKey("other", 2)(createPartner(allowed, body("Nova"))), "DocumentTaken")
    })))

  it.effect("T51 IDEM-01 keys of different callers are independent", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, rootAdmin } = yield* storeTwoTrees
      const one = yield* withKey("k", 1)(
        createPartner(yield* permit(yield* callerOf(aAdmin), "partners:write"), body("Nova"))
      )
      const before = yield* partnersNow
      const other = createPartner(
        yield* permit(yield* callerOf(rootAdmin), "partners:write"),
        body("Outra", "11444777000161")
      )
      const two = yield* withKey("k", 1)(other)
      assert.isFalse(two.replayed)
      assert.notStrictEqual(two.answer.partner_id, one.answer.partner_id)
      assert.strictEqual(yield* partnersNow, before + 1)
    })))

  it.effect("IDEM-01 an answer is kept for 24 hours, to the millisecond", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* withKey("k", 1)(createPartner(allowed, body("Nova")))
      yield* TestClock.adjust("24 hours")
      assert.isTrue((yield* withKey("k", 1)(createPartner(allowed, body("Nova")))).replayed)
      yield* TestClock.adjust(1)
      yield* expectRefusal(withKey("k", 1)(createPartner(allowed, body("Nova"))), "DocumentTaken")
    })))

  it.effect("IDEM-01 an expired answer is replaced", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* withKey("k", 1)(createPartner(allowed, body("Nova")))
      yield* TestClock.adjust("25 hours")
      const outra = withKey("k", 2)(createPartner(allowed, body("Outra", "11444777000161")))
      const { answer, replayed } = yield* outra
      assert.isFalse(replayed)
      assert.deepStrictEqual(yield* outra, { answer, replayed: true })
    })))

  it.effect("IDEM-01 a request in progress is reported, not awaited", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const store = yield* IdempotencyStore
      const held = Effect.provideService(withKey("k", 1)(createPartner(allowed, body("Nova"))), IdempotencyStore, {
        ...store,
        claim: () => Effect.succeed(false)
      })
      yield* expectRefusal(held, "IdempotencyInFlight")
      const before = yield* partnersNow
      const claims = withKey("k", 1)(createPartner(allowed, body("Nova")))
      const both = yield* Effect.all([claims, claims], { concurrency: "unbounded" })
      assert.deepStrictEqual(both.map(({ replayed }) => replayed).toSorted(), [false, true])
      assert.strictEqual(yield* partnersNow, before + 1)
    })))

  it.effect("IDEM-01 HIER-02 the hierarchy is checked again before a replay", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, b, rootAdmin } = yield* storeTwoTrees
      const ofA = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const ofRoot = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      const request = withKey("k", 1)(createPartner(ofA, body("Nova")))
      const { answer } = yield* request
      yield* updatePartner(ofRoot, answer.partner_id, { partner: { parent_uuid: b.partner_id } })
      yield* expectRefusal(request, "OutsideHierarchy")
      yield* expectRefusal(withKey("k", 2)(createPartner(ofA, body("Nova"))), "OutsideHierarchy")
    })))

  it.effect("IDEM-01 the creation of a record deleted since is still replayed, and another request is rejected", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const admin = yield* callerOf(aAdmin)
      const partners = yield* permit(admin, "partners:write")
      const users = yield* permit(admin, "users:write")
      const makePartner = withKey("p", 1)(createPartner(partners, body("Nova")))
      const makeUser = withKey("u", 1)(createUser(users, newcomer))
      const partner = (yield* makePartner).answer
      const user = (yield* makeUser).answer
      yield* deletePartner(partners, partner.partner_id)
      yield* deleteUser(users, user.user_id)
      assert.deepStrictEqual(yield* makePartner, { answer: partner, replayed: true })
      assert.deepStrictEqual(yield* makeUser, { answer: user, replayed: true })
      yield* expectRefusal(withKey("p", 2)(createPartner(partners, body("Nova"))), "IdempotencyKeyReused")
      yield* expectRefusal(withKey("u", 2)(createUser(users, newcomer)), "IdempotencyKeyReused")
    })))

  it.effect("T51 IDEM-01 another operation with the same key is rejected without loading a record", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const admin = yield* callerOf(aAdmin)
      const users = yield* UserRepository
      const strict = UserRepository.of({
        ...users,
        find: (scope, id) => Schema.is(UserId)(id) ? users.find(scope, id) : Effect.die("invalid id")
      })
      const makePartner = createPartner(yield* permit(admin, "partners:write"), body("Nova"))
      const makeUser = createUser(yield* permit(admin, "users:write"), newcomer)
      yield* withKey("k", 1)(makePartner)
      yield* expectRefusal(
        Effect.provideService(withKey("k", 2)(makeUser), UserRepository, strict),
        "IdempotencyKeyReused"
      )
      yield* withKey("l", 2)(makeUser)
      yield* expectRefusal(withKey("l", 1)(makePartner), "IdempotencyKeyReused")
    })))

  it.effect("IDEM-01 HIER-02 a user is checked by its current partner, a deleted one by its original partner", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, b, root, rootAdmin } = yield* storeTwoTrees
      const ofA = yield* permit(yield* callerOf(aAdmin), "users:write")
      const ofRoot = yield* callerOf(rootAdmin)
      const request = (content: unknown) =>
        withKey("k", content)(createUser(ofA, { ...newcomer, partner_id: aa.partner_id }))
      const { answer } = yield* request(1)
      const move = Effect.fnUntraced(function*(partner_id: PartnerId) {
        yield* updateUser(yield* permitUserPatch(ofRoot, answer.user_id), answer.user_id, { partner_id })
      })
      for (const { partner_id } of [b, root]) {
        yield* move(partner_id)
        yield* expectRefusal(request(1), "OutsideHierarchy")
        yield* expectRefusal(request(2), "OutsideHierarchy")
      }
      yield* move(aAdmin.partner_id)
      assert.deepStrictEqual(yield* request(1), { answer, replayed: true })
      yield* deleteUser(yield* permit(ofRoot, "users:write"), answer.user_id)
      assert.deepStrictEqual(yield* request(1), { answer, replayed: true })
      yield* updatePartner(yield* permit(ofRoot, "partners:write"), aa.partner_id, {
        partner: { parent_uuid: b.partner_id }
      })
      yield* expectRefusal(request(1), "OutsideHierarchy")
      yield* expectRefusal(request(2), "OutsideHierarchy")
    })))

  it.effect("IDEM-01 USER-02 a grant is checked again before a replay, which returns the first temporary password", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const user = { ...newcomer, group_id: groupBySlug("admin").group_id }
      const admin = yield* callerOf(aAdmin)
      const request = withKey("k", 1)(createUser(yield* permit(admin, "users:write"), user))
      const first = yield* request
      assert.isString(first.answer.temporary_password)
      assert.deepStrictEqual(yield* request, { answer: first.answer, replayed: true })
      const demoted = createCaller({ ...(yield* callerOf(yield* storeMember(a, "manager"))), subject: admin.subject })
      yield* expectRefusal(withKey("k", 1)(createUser(yield* permit(demoted, "users:write"), user)), "PermissionDenied")
    })))

  it.effect("T51 IDEM-01 an effect without a key runs normally", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* createPartner(allowed, body("Nova"))
      assert.strictEqual(yield* outcomeOf(createPartner(allowed, body("Nova"))), "DocumentTaken")
      assert.strictEqual((yield* (yield* MemoryDatabase).state).answers.size, 0)
    })))
})
