import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { createCaller } from "../../src/access/Caller.ts"
import { groupBySlug } from "../../src/access/Group.ts"
import { IdempotencyStore } from "../../src/idempotency/IdempotencyStore.ts"
import { parseIdempotencyKey, type SentKey } from "../../src/idempotency/runOnce.ts"
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

const keyOf = (key: string, request: unknown): SentKey => Result.succeed({ key, fingerprint: JSON.stringify(request) })

const partnersNow = Effect.flatMap(MemoryDatabase, ({ state }) => Effect.map(state, ({ partners }) => partners.size))

describe("runOnce", () => {
  it.effect("IDEM-01 a repeated request returns the first answer and runs once", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const request = createPartner(allowed, body("Nova"), keyOf("k", 1))
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
      const request = createPartner(allowed, body("Nova"), keyOf("k", 1))
      const { answer } = yield* request
      yield* updatePartner(allowed, answer.partner_id, { partner: { name: "Outra" } })
      assert.deepStrictEqual((yield* request).answer, answer)
    })))

  it.effect("IDEM-01 an invalid key is rejected and nothing runs", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const wrong = parseIdempotencyKey("", "header.Idempotency-Key", () => "f")
      yield* expectRefusal(
        createPartner(allowed, body("Nova"), wrong),
        "header.Idempotency-Key INVALID_FORMAT"
      )
    })))

  it.effect("T51 IDEM-01 another request with the same key is rejected, valid or not", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* createPartner(allowed, body("Nova"), keyOf("k", 1))
      for (const other of [body("Outra", "11444777000161"), {}, null]) {
        yield* expectRefusal(createPartner(allowed, other, keyOf("k", 2)), "IdempotencyKeyReused")
      }
    })))

  it.effect("IDEM-01 a refusal does not consume the key: a corrected request may reuse it", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* expectRefusal(createPartner(allowed, body(""), keyOf("k", 1)), "partner.name TOO_SHORT")
      const mended = yield* createPartner(allowed, body("Nova"), keyOf("k", 2))
      assert.isFalse(mended.replayed)
      yield* expectRefusal(createPartner(allowed, body(""), keyOf("k", 1)), "IdempotencyKeyReused")
      yield* expectRefusal(createPartner(allowed, body("Nova"), keyOf("other", 2)), "DocumentTaken")
    })))

  it.effect("T51 IDEM-01 keys of different callers are independent", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, rootAdmin } = yield* storeTwoTrees
      const one = yield* createPartner(
        yield* permit(yield* callerOf(aAdmin), "partners:write"),
        body("Nova"),
        keyOf("k", 1)
      )
      const before = yield* partnersNow
      const other = createPartner(
        yield* permit(yield* callerOf(rootAdmin), "partners:write"),
        body("Outra", "11444777000161"),
        keyOf("k", 1)
      )
      const two = yield* other
      assert.isFalse(two.replayed)
      assert.notStrictEqual(two.answer.partner_id, one.answer.partner_id)
      assert.strictEqual(yield* partnersNow, before + 1)
    })))

  it.effect("IDEM-01 an answer is kept for 24 hours, to the millisecond", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* createPartner(allowed, body("Nova"), keyOf("k", 1))
      yield* TestClock.adjust("24 hours")
      assert.isTrue((yield* createPartner(allowed, body("Nova"), keyOf("k", 1))).replayed)
      yield* TestClock.adjust(1)
      yield* expectRefusal(createPartner(allowed, body("Nova"), keyOf("k", 1)), "DocumentTaken")
    })))

  it.effect("IDEM-01 an expired answer is replaced", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      yield* createPartner(allowed, body("Nova"), keyOf("k", 1))
      yield* TestClock.adjust("25 hours")
      const outra = createPartner(allowed, body("Outra", "11444777000161"), keyOf("k", 2))
      const { answer, replayed } = yield* outra
      assert.isFalse(replayed)
      assert.deepStrictEqual(yield* outra, { answer, replayed: true })
    })))

  it.effect("IDEM-01 a request in progress is reported, not awaited", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const store = yield* IdempotencyStore
      const held = Effect.provideService(createPartner(allowed, body("Nova"), keyOf("k", 1)), IdempotencyStore, {
        ...store,
        claim: () => Effect.succeed(false)
      })
      yield* expectRefusal(held, "IdempotencyInFlight")
      const before = yield* partnersNow
      const claims = createPartner(allowed, body("Nova"), keyOf("k", 1))
      const both = yield* Effect.all([claims, claims], { concurrency: "unbounded" })
      assert.deepStrictEqual(both.map(({ replayed }) => replayed).toSorted(), [false, true])
      assert.strictEqual(yield* partnersNow, before + 1)
    })))

  it.effect("IDEM-01 HIER-02 the hierarchy is checked again before a replay", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, b, rootAdmin } = yield* storeTwoTrees
      const ofA = yield* permit(yield* callerOf(aAdmin), "partners:write")
      const ofRoot = yield* permit(yield* callerOf(rootAdmin), "partners:write")
      const request = createPartner(ofA, body("Nova"), keyOf("k", 1))
      const { answer } = yield* request
      yield* updatePartner(ofRoot, answer.partner_id, { partner: { parent_uuid: b.partner_id } })
      yield* expectRefusal(request, "OutsideHierarchy")
      yield* expectRefusal(createPartner(ofA, body("Nova"), keyOf("k", 2)), "OutsideHierarchy")
    })))

  it.effect("IDEM-01 the creation of a record deleted since is still replayed, and another request is rejected", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const admin = yield* callerOf(aAdmin)
      const partners = yield* permit(admin, "partners:write")
      const users = yield* permit(admin, "users:write")
      const makePartner = createPartner(partners, body("Nova"), keyOf("p", 1))
      const makeUser = createUser(users, newcomer, keyOf("u", 1))
      const partner = (yield* makePartner).answer
      const user = (yield* makeUser).answer
      yield* deletePartner(partners, partner.partner_id)
      yield* deleteUser(users, user.user_id)
      assert.deepStrictEqual(yield* makePartner, { answer: partner, replayed: true })
      const { temporary_password: _, ...kept } = user
      assert.deepStrictEqual(yield* makeUser, { answer: kept, replayed: true })
      yield* expectRefusal(createPartner(partners, body("Nova"), keyOf("p", 2)), "IdempotencyKeyReused")
      yield* expectRefusal(createUser(users, newcomer, keyOf("u", 2)), "IdempotencyKeyReused")
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
      const partners = yield* permit(admin, "partners:write")
      const writing = yield* permit(admin, "users:write")
      const makePartner = (key: SentKey) => createPartner(partners, body("Nova"), key)
      const makeUser = (key: SentKey) => createUser(writing, newcomer, key)
      yield* makePartner(keyOf("k", 1))
      yield* expectRefusal(
        Effect.provideService(makeUser(keyOf("k", 2)), UserRepository, strict),
        "IdempotencyKeyReused"
      )
      yield* makeUser(keyOf("l", 2))
      yield* expectRefusal(makePartner(keyOf("l", 1)), "IdempotencyKeyReused")
    })))

  it.effect("IDEM-01 HIER-02 a user is checked by its current partner, a deleted one by its original partner", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, b, root, rootAdmin } = yield* storeTwoTrees
      const ofA = yield* permit(yield* callerOf(aAdmin), "users:write")
      const ofRoot = yield* callerOf(rootAdmin)
      const request = (content: unknown) =>
        createUser(ofA, { ...newcomer, partner_id: aa.partner_id }, keyOf("k", content))
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
      const { temporary_password: _, ...kept } = answer
      assert.deepStrictEqual(yield* request(1), { answer: kept, replayed: true })
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
      const request = createUser(yield* permit(admin, "users:write"), user, keyOf("k", 1))
      const first = yield* request
      assert.isString(first.answer.temporary_password)
      assert.deepStrictEqual(yield* request, { answer: first.answer, replayed: true })
      const demoted = createCaller({ ...(yield* callerOf(yield* storeMember(a, "manager"))), subject: admin.subject })
      yield* expectRefusal(createUser(yield* permit(demoted, "users:write"), user, keyOf("k", 1)), "PermissionDenied")
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
