import { assert, describe, it } from "@effect/vitest"
import { type layerMemory, MemoryDatabase } from "@lastro/testkit"
import { Cause, Effect, Exit, type Layer, Result } from "effect"
import { groupBySlug } from "../../src/access/Group.ts"
import { AuditLog } from "../../src/audit/AuditLog.ts"
import { IdempotencyStore } from "../../src/idempotency/IdempotencyStore.ts"
import { RefreshTokenRepository } from "../../src/identity/RefreshToken.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { deleteUser } from "../../src/user/DeleteUser.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { createPartner, createUser } from "../commands.ts"
import {
  callerOf,
  knownPassword,
  permit,
  permitUserPatch,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const broken = new Error("injected fault")
const fault = () => Effect.die(broken)

type Mutation = Effect.Effect<void, never, Layer.Success<typeof layerMemory>>

const mutation = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof layerMemory>>): Mutation =>
  Effect.asVoid(Effect.orDie(effect))

const newPartner = { type: "pj", name: "Nova", email: "n@e.fr", phone: "1133334444", document_number: "11222333000181" }
const newUser = {
  name: "Bia Nova",
  email: "bia@example.com",
  phone: "1133334444",
  cpf: "52998224725",
  group_id: groupBySlug("viewer").group_id
}

const keyOf = (key: string) => Result.succeed({ key, fingerprint: "f" })

/** Every mutation of partners and users. Each succeeds without a fault. */
const mutations = Effect.gen(function*() {
  const { a, aAdmin, aa, b, rootAdmin } = yield* storeTwoTrees
  const caller = yield* callerOf(rootAdmin)
  const viewer = yield* storeMember(a, "viewer")
  const partners = yield* permit(caller, "partners:write")
  const users = yield* permit(caller, "users:write")
  const self = yield* permitUserPatch(yield* callerOf(aAdmin), aAdmin.user_id)
  const change = { password: "a better password", current_password: knownPassword }
  const other = yield* permitUserPatch(caller, viewer.user_id)
  return {
    createPartner: mutation(createPartner(partners, { partner: newPartner }, keyOf("partner"))),
    movePartner: mutation(
      updatePartner(partners, aa.partner_id, { partner: { name: "Outra", parent_uuid: b.partner_id } })
    ),
    deletePartner: mutation(deletePartner(partners, aa.partner_id)),
    createUser: mutation(createUser(users, newUser, keyOf("user"))),
    updateUser: mutation(updateUser(other, viewer.user_id, { name: "Outro", partner_id: b.partner_id })),
    changePassword: mutation(updateUser(self, aAdmin.user_id, change)),
    deleteUser: mutation(deleteUser(users, viewer.user_id))
  }
})

const expectRollback = Effect.fnUntraced(function*(attempt: Mutation) {
  const { state } = yield* MemoryDatabase
  const before = yield* state
  const exit = yield* Effect.exit(attempt)
  assert.strictEqual(Exit.isFailure(exit) ? Cause.squash(exit.cause) : "it happened", broken)
  assert.deepStrictEqual(yield* state, before)
})

describe("transaction faults", () => {
  it.effect("T58 an audit failure rolls back the whole mutation", () =>
    runInMemory(Effect.gen(function*() {
      for (const attempt of Object.values(yield* mutations)) {
        yield* expectRollback(Effect.provideService(attempt, AuditLog, { record: fault }))
      }
    })))

  it.effect("T58 a failure to store the answer rolls back the creation and leaves the key free", () =>
    runInMemory(Effect.gen(function*() {
      const all = yield* mutations
      const store = yield* IdempotencyStore
      for (const creation of [all.createPartner, all.createUser]) {
        yield* expectRollback(Effect.provideService(creation, IdempotencyStore, { ...store, save: fault }))
      }
    })))

  it.effect("T58 a failure to end sessions rolls back the password change and the deletion", () =>
    runInMemory(Effect.gen(function*() {
      const all = yield* mutations
      const tokens = yield* RefreshTokenRepository
      for (const attempt of [all.changePassword, all.deleteUser]) {
        yield* expectRollback(Effect.provideService(attempt, RefreshTokenRepository, { ...tokens, revokeUser: fault }))
      }
    })))

  it.effect("T58 without a fault, each mutation succeeds with one audit entry", () =>
    runInMemory(Effect.gen(function*() {
      const { state } = yield* MemoryDatabase
      for (const attempt of Object.values(yield* mutations)) {
        const before = (yield* state).audit.length
        yield* attempt
        assert.strictEqual((yield* state).audit.length, before + 1)
      }
    })))
})
