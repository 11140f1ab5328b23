import { assert, describe, it } from "@effect/vitest"
import { groupBySlug } from "@lastro/domain/access"
import { PendingWork, storeChildPartner, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newApplication, newPartner, newUser } from "../bodies.ts"
import { at } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { givenOpened, givenVoice, offersOf } from "../origination.ts"

const upper = (id: unknown): string => String(id).toUpperCase()

describe("T24 ids in upper case", () => {
  it.effect("T24 identify the same record in paths, and responses show the canonical form", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const child = yield* storeChildPartner(root)
      const { token, user } = yield* givenCaller(root)
      const viewer = yield* givenCaller(root, "viewer")
      const read = yield* server.send(`/api/v1/partners/${upper(child.partner_id)}`, { token })
      assert.strictEqual(at(read, "data", "partner_id"), child.partner_id)
      const own = yield* server.send(`/api/v1/users/${upper(viewer.user.user_id)}`, { token: viewer.token })
      assert.strictEqual(at(own, "data", "user_id"), viewer.user.user_id)
      const ownPatch = yield* server.send(`/api/v1/users/${upper(viewer.user.user_id)}`, {
        token: viewer.token,
        method: "PATCH",
        json: {}
      })
      assert.strictEqual(ownPatch.status, 200)
      const selfDelete = yield* server.send(`/api/v1/users/${upper(user.user_id)}`, { token, method: "DELETE" })
      assert.strictEqual(at(selfDelete, "error", "code"), "SELF_DELETE")
      const ownDelete = yield* server.send(`/api/v1/partners/${upper(root.partner_id)}`, { token, method: "DELETE" })
      assert.strictEqual(ownDelete.status, 409)

      const voice = yield* givenVoice(root)
      const { id, kyc } = yield* givenOpened(voice)
      yield* (yield* PendingWork).finish
      assert.strictEqual((yield* voice.submit(upper(id), kyc)).status, 200)
      assert.strictEqual((yield* voice.kyc(upper(id))).status, 200)
      const [offer = ""] = offersOf(yield* voice.read(upper(id)))
      const accepted = yield* voice.accept(upper(id), upper(offer))
      assert.deepStrictEqual(
        [accepted.status, at(accepted, "application_id"), at(accepted, "offer_id")],
        [202, id, offer]
      )
      const proposal = String(at(accepted, "proposal_id"))
      assert.strictEqual(at(yield* voice.proposal(upper(proposal)), "data", "proposal_id"), proposal)
      assert.strictEqual(at(yield* voice.status(upper(id)), "application_id"), id)
      assert.strictEqual((yield* voice.requote(upper(id))).status, 409)
    })))

  it.effect("T24 identify the same record in queries and bodies, and responses show the canonical form", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const child = yield* storeChildPartner(root)
      const { token } = yield* givenCaller(root)
      const post = (path: string, json: unknown) => server.send(path, { token, json })
      const patch = (path: string, json: unknown) => server.send(path, { token, method: "PATCH", json })

      const partner = yield* post("/api/v1/partners", yield* newPartner({ parent_uuid: upper(child.partner_id) }))
      assert.strictEqual(at(partner, "data", "parent_id"), child.partner_id)
      const path = `/api/v1/partners/${String(at(partner, "data", "partner_id"))}`
      const same = yield* patch(path, { partner: { parent_uuid: upper(child.partner_id) } })
      assert.deepStrictEqual([same.status, same.headers.get("etag")], [200, partner.headers.get("etag")])
      const moved = yield* patch(path, { partner: { parent_uuid: upper(root.partner_id) } })
      assert.strictEqual(at(moved, "data", "parent_id"), root.partner_id)

      const group = groupBySlug("operator").group_id
      const ids = { partner_id: upper(child.partner_id), group_id: upper(group) }
      const user = yield* post("/api/v1/users", yield* newUser(ids))
      assert.deepStrictEqual(
        [user.status, at(user, "data", "partner_id"), at(user, "data", "group", "group_id")],
        [201, child.partner_id, group]
      )
      const patched = yield* patch(`/api/v1/users/${upper(at(user, "data", "user_id"))}`, {
        partner_id: upper(root.partner_id),
        group_id: upper(groupBySlug("viewer").group_id)
      })
      assert.strictEqual(at(patched, "data", "partner_id"), root.partner_id)
      const opened = yield* post(
        "/api/v1/fgts/applications",
        yield* newApplication({ partner_id: upper(child.partner_id) })
      )
      assert.deepStrictEqual([opened.status, at(opened, "partner_id")], [201, child.partner_id])

      const total = (query: string) =>
        Effect.map(server.send(`/api/v1/${query}`, { token }), (reply) => at(reply, "page", "total_elements"))
      assert.strictEqual(yield* total(`partners?parent_id=${upper(root.partner_id)}`), 2)
      assert.strictEqual(yield* total(`users?partner_id=${upper(root.partner_id)}`), 2)
      assert.strictEqual(yield* total(`proposals?partner_id=${upper(child.partner_id)}`), 0)
    })))
})
