import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { groupBySlug } from "../../src/access/Group.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { createApiClient, revokeApiClient, rotateApiClient } from "../../src/operator/apiClients.ts"
import { setPartnerStatus } from "../../src/operator/partners.ts"
import { deletePartner } from "../../src/partner/DeletePartner.ts"
import { updatePartner } from "../../src/partner/UpdatePartner.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import {
  callerOf,
  knownPassword,
  permit,
  permitUserPatch,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

/** Tokens of a manager and a client at aa, two levels below root. `judge` returns the current validity of a token. */
const setUp = Effect.gen(function*() {
  const trees = yield* storeTwoTrees
  const manager = yield* storeMember(trees.aa, "manager")
  const { secret } = yield* createApiClient(trees.b.partner_id, "admin", { client_id: "erp" })
  const user = yield* issueToken({ grant_type: "password", username: manager.email, password: knownPassword })
  const client = yield* issueToken({
    grant_type: "client_credentials",
    client_id: "erp",
    client_secret: Redacted.value(secret)
  })
  const admin = yield* callerOf(trees.rootAdmin)
  return {
    ...trees,
    manager,
    user: judge(user.access_token),
    client: judge(client.access_token),
    ofManager: yield* permitUserPatch(admin, manager.user_id),
    partners: yield* permit(admin, "partners:write")
  }
})

const judge = (token: string) =>
  Effect.match(resolveCaller(token), { onSuccess: ({ group }) => group, onFailure: ({ reason }) => reason })

describe("resolveCaller", () => {
  it.effect("T08 AUTH-07 an inactive user is refused from the next request on, and its token stays refused once it is active again", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, ofManager, user } = yield* setUp
      assert.strictEqual(yield* user, "manager")
      yield* updateUser(ofManager, manager.user_id, { status: "INACTIVE" })
      assert.strictEqual(yield* user, "inactive")
      yield* updateUser(ofManager, manager.user_id, { status: "ACTIVE" })
      assert.strictEqual(yield* user, "stale")
    })))

  it.effect("AUTH-07 an inactive partner blocks exactly its subtree", () =>
    runInMemory(Effect.gen(function*() {
      const { a, client, root, user } = yield* setUp
      yield* setPartnerStatus(a.partner_id, "inactive")
      assert.deepStrictEqual([yield* user, yield* client], ["inactive", "admin"])
      yield* setPartnerStatus(root.partner_id, "inactive")
      assert.deepStrictEqual([yield* user, yield* client], ["inactive", "inactive"])
      yield* setPartnerStatus(root.partner_id, "active")
      assert.deepStrictEqual([yield* user, yield* client], ["inactive", "admin"])
    })))

  it.effect("AUTH-07 a partner moved below an inactive one is blocked with it", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, b, partners, user } = yield* setUp
      yield* setPartnerStatus(b.partner_id, "inactive")
      yield* updatePartner(partners, aa.partner_id, { partner: { parent_uuid: b.partner_id } })
      assert.strictEqual(yield* user, "inactive")
    })))

  it.effect("T06 AUTH-07 a user moved to another partner needs a new token", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, b, manager, ofManager, user } = yield* setUp
      yield* updateUser(ofManager, manager.user_id, { partner_id: b.partner_id })
      assert.strictEqual(yield* user, "stale")
      yield* updateUser(ofManager, manager.user_id, { partner_id: aa.partner_id })
      assert.strictEqual(yield* user, "manager")
    })))

  it.effect("T09 AUTH-07 a token survives the move of its partner", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, b, partners, user } = yield* setUp
      yield* updatePartner(partners, aa.partner_id, { partner: { parent_uuid: b.partner_id } })
      assert.strictEqual(yield* user, "manager")
    })))

  it.effect("AUTH-07 a user's live group applies", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, ofManager, user } = yield* setUp
      yield* updateUser(ofManager, manager.user_id, { group_id: groupBySlug("viewer").group_id })
      assert.strictEqual(yield* user, "viewer")
    })))

  it.effect("T08 AUTH-07 a client's token is invalidated with its secret, the client or its partner", () =>
    runInMemory(Effect.gen(function*() {
      const rotated = yield* setUp
      yield* rotateApiClient("erp", { overlap: 0 })
      assert.strictEqual(yield* rotated.client, "stale")
      yield* revokeApiClient("erp")
      assert.strictEqual(yield* rotated.client, "unknown")
    })))

  it.effect("T08 AUTH-07 a client of a deleted partner is unknown", () =>
    runInMemory(Effect.gen(function*() {
      const { b, client, partners } = yield* setUp
      yield* deletePartner(partners, b.partner_id)
      assert.strictEqual(yield* client, "unknown")
    })))

  it.effect("AUTH-07 a token expires after 15 minutes", () =>
    runInMemory(Effect.gen(function*() {
      const { user } = yield* setUp
      yield* TestClock.adjust(900_000 - 1)
      assert.strictEqual(yield* user, "manager")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* user, "expired")
    })))
})
