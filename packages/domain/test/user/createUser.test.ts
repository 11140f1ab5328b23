import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { groupBySlug, type GroupSlug } from "../../src/access/Group.ts"
import { parseIdempotencyKey } from "../../src/idempotency/runOnce.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { isTemporaryPasswordRepeated } from "../../src/user/CreateUser.ts"
import { getUser } from "../../src/user/GetUser.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { addMillis, timestampOf } from "../../src/values/Timestamp.ts"
import { createUser } from "../commands.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  outcomeOf,
  permit,
  permitUserPatch,
  permitUserRead,
  runInMemory,
  start,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const group_id = (slug: GroupSlug) => groupBySlug(slug).group_id
const body = {
  name: "Bia Nova",
  email: "Bia@Example.com",
  phone: "(11) 98765-4321",
  cpf: "529.982.247-25",
  group_id: group_id("viewer")
}

describe("createUser", () => {
  it.effect("adds a user to the caller's partner, with a temporary password that must be changed", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      const { temporary_password, ...detail } = yield* createUser(yield* permit(caller, "users:write"), body)
      assert.deepStrictEqual<unknown>(detail, {
        user_id: detail.user_id,
        name: "Bia Nova",
        email: "Bia@Example.com",
        phone: "11987654321",
        cpf: "52998224725",
        status: "ACTIVE",
        group: { group_id: group_id("viewer"), slug: "viewer", label: "Consulta" },
        must_change_password: true,
        created_at: start,
        partner_id: a.partner_id,
        metadata: {},
        partners: [{ partner_id: a.partner_id, name: a.name }]
      })
      assert.deepStrictEqual(yield* getUser(yield* permitUserRead(caller, detail.user_id), detail.user_id), detail)
      const signIn = { grant_type: "password", username: "bia@example.com", password: temporary_password }
      assert.strictEqual((yield* issueToken(signIn)).token_type, "Bearer")
    })))

  it.effect("IDEM-03 a repeated request returns the temporary password for ten minutes, and never after it was changed", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      const key = (name: string) => parseIdempotencyKey(name, "key", () => "the same request")
      const create = (name: string, email: string) =>
        Effect.map(createUser(allowed, { ...body, email }, key(name)), ({ temporary_password, user_id }) => ({
          temporary_password,
          user_id
        }))
      const first = yield* create("k1", "um@example.com")
      assert.isString(first.temporary_password)
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* create("k1", "um@example.com"), first)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* create("k1", "um@example.com"), {
        temporary_password: undefined,
        user_id: first.user_id
      })

      const second = yield* create("k2", "dois@example.com")
      const change = { password: "a better password", current_password: second.temporary_password }
      const self = yield* callerOf({ ...aAdmin, user_id: second.user_id })
      yield* updateUser(yield* permitUserPatch(self, second.user_id), second.user_id, change)
      assert.deepStrictEqual(yield* create("k2", "dois@example.com"), {
        temporary_password: undefined,
        user_id: second.user_id
      })
    })))

  it("IDEM-03 depends on the age of the user and on its password alone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000 }), fc.option(fc.integer({ min: 0, max: 2 })), (age, version) => {
        const created_at = timestampOf(1_790_000_000_000)
        const principal = version === null ? Option.none() : Option.some({ credentials_version: version })
        assert.strictEqual(
          isTemporaryPasswordRepeated(created_at, addMillis(created_at, age), principal),
          version === 0 && age <= 600_000
        )
      })
    )
  })

  it.effect("uses the given password and returns none", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const created = yield* createUser(yield* permit(yield* callerOf(aAdmin), "users:write"), {
        ...body,
        password: "my own password"
      })
      assert.notProperty(created, "temporary_password")
      assert.isFalse(created.must_change_password)
      const signIn = { grant_type: "password", username: body.email, password: "my own password" }
      assert.strictEqual(yield* outcomeOf(issueToken(signIn)), "done")
    })))

  it.effect("INPUT-03 null counts as an absent partner and an absent password", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      const created = yield* createUser(allowed, { ...body, partner_id: null, password: null })
      assert.strictEqual(created.partner_id, a.partner_id)
      assert.isDefined(created.temporary_password)
      assert.isTrue(created.must_change_password)
    })))

  it.effect("AUTH-18 refuses a password that is easy to guess, with all other problems of the body", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      const email = "bia.da.nova@example.com"
      for (
        const password of [
          "Unbelievable",
          "aaaaaaaaaaaa",
          "bia.da.nova2026",
          "BIA.DA.NOVA@example.com",
          "1234 bia-nova",
          "Exemplo#2026ab"
        ]
      ) {
        yield* expectRefusal(createUser(allowed, { ...body, email, password }), "password GUESSABLE")
        const worse = { ...body, email, password, cpf: "1" }
        yield* expectRefusal(createUser(allowed, worse), "cpf INVALID_FORMAT, password GUESSABLE")
      }
      yield* expectRefusal(createUser(allowed, { ...body, password: "aaaaaaaaaaa" }), "password TOO_SHORT")
      const harder = { ...body, email, password: "bia da nova e o mar" }
      assert.strictEqual(yield* outcomeOf(createUser(allowed, harder)), "done")
    })))

  it.effect("T37 hashes a password only for a valid body", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      const hashed = yield* Ref.make(0)
      const hasher = yield* PasswordHasher
      const counting = PasswordHasher.of({
        ...hasher,
        hash: (secret) => Effect.andThen(Ref.update(hashed, (count) => count + 1), hasher.hash(secret))
      })
      const create = (request: unknown) =>
        outcomeOf(Effect.provideService(createUser(allowed, request), PasswordHasher, counting))
      for (const wrong of [{ ...body, name: "" }, { ...body, password: "short" }, { ...body, zzz: 1 }, null]) {
        assert.notStrictEqual(yield* create(wrong), "done")
      }
      assert.strictEqual(yield* Ref.get(hashed), 0)
      assert.strictEqual(yield* create(body), "done")
      assert.strictEqual(yield* Ref.get(hashed), 1)
    })))

  it.effect("AUDIT-01 writes an audit entry without a password or personal data", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      const { temporary_password = "", user_id } = yield* createUser(allowed, body)
      const entries = yield* auditEntriesOf(user_id)
      assert.deepStrictEqual(
        entries.map(({ action, actor, before, partner_id }) => [action, actor, before, partner_id]),
        [
          ["user.create", aAdmin.user_id, null, a.partner_id]
        ]
      )
      for (const secret of [temporary_password, "52998224725", "Bia@", "11987654321", "$not-secure$"]) {
        assert.notInclude(JSON.stringify(entries), secret)
      }
    })))

  it.effect("T13 HIER-03 the partner must exist in the caller's subtree", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, b, root, stranger } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      for (const { partner_id } of [root, b, stranger]) {
        yield* expectRefusal(createUser(allowed, { ...body, partner_id }), "partner_id OUTSIDE_HIERARCHY")
      }
      yield* expectRefusal(
        createUser(allowed, { ...body, partner_id: aAdmin.user_id, name: "" }),
        "name TOO_SHORT, partner_id NOT_FOUND"
      )
      yield* expectRefusal(createUser(allowed, { ...body, partner_id: "x" }), "partner_id INVALID_FORMAT")
      assert.strictEqual((yield* createUser(allowed, { ...body, partner_id: aa.partner_id })).partner_id, aa.partner_id)
    })))

  it.effect("T13 USER-02 a stronger group is denied before the body is checked; an unknown one is not found", () =>
    runInMemory(Effect.gen(function*() {
      const { a, b } = yield* storeTwoTrees
      const manager = yield* callerOf(yield* storeMember(a, "manager"))
      const allowed = yield* permit(manager, "users:write")
      yield* expectRefusal(createUser(allowed, { ...body, group_id: group_id("admin") }), "PermissionDenied")
      yield* expectRefusal(
        createUser(allowed, { name: "", partner_id: b.partner_id, group_id: group_id("admin").toUpperCase() }),
        "PermissionDenied"
      )
      yield* expectRefusal(createUser(allowed, { ...body, group_id: a.partner_id }), "group_id NOT_FOUND")
      yield* expectRefusal(createUser(allowed, { ...body, group_id: "boss" }), "group_id INVALID_FORMAT")
      yield* expectRefusal(createUser(allowed, { ...body, group_id: "admin" }), "PermissionDenied")
      assert.strictEqual((yield* createUser(allowed, { ...body, group_id: "manager" })).group.slug, "manager")
    })))

  it.effect("USER-02 a token limited to users:write can grant no permission that it lacks", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const narrowed = yield* callerOf(aAdmin, ["users:write", "users:read"])
      yield* expectRefusal(createUser(yield* permit(narrowed, "users:write"), body), "PermissionDenied")
    })))

  it.effect("T23 T35 an e-mail is unique in any letter case, across partners", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, strangerAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      yield* createUser(allowed, body)
      yield* expectRefusal(createUser(allowed, { ...body, email: "bIA@eXAMPLE.com" }), "EmailTaken")
      yield* expectRefusal(createUser(allowed, { ...body, email: strangerAdmin.email.toUpperCase() }), "EmailTaken")
    })))

  it.effect("T25 reports every problem at once, including fields that only the system sets", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const allowed = yield* permit(yield* callerOf(aAdmin), "users:write")
      yield* expectRefusal(
        createUser(allowed, {
          name: "x",
          email: 5,
          phone: "1",
          cpf: "52998224724",
          group_id: null,
          password: "short",
          must_change_password: false,
          status: "ACTIVE",
          user_id: aAdmin.user_id
        }),
        [
          "cpf INVALID_CHECK_DIGIT",
          "email INVALID_TYPE",
          "group_id REQUIRED",
          "must_change_password UNKNOWN_FIELD",
          "name TOO_SHORT",
          "password TOO_SHORT",
          "phone INVALID_FORMAT",
          "status UNKNOWN_FIELD",
          "user_id UNKNOWN_FIELD"
        ].join(", ")
      )
      yield* expectRefusal(createUser(allowed, []), " INVALID_TYPE")
    })))
})
