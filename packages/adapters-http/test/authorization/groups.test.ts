import { assert, describe, it } from "@effect/vitest"
import { groupBySlug, type GroupSlug } from "@lastro/domain/access"
import { storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { newUser } from "../bodies.ts"
import { at, codeOf, problemsOf } from "../client.ts"
import { givenCaller, givenClient, tokenFor } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const group = (slug: GroupSlug) => ({ group_id: groupBySlug(slug).group_id })

/** True if a manager has every permission of the group. */
const grantable: Readonly<Record<GroupSlug, boolean>> = { admin: false, manager: true, operator: true, viewer: true }

describe("stronger groups", () => {
  it.effect("T13 a caller cannot grant a group with a permission that it lacks", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root] = yield* storeForest([null])
      const { token } = yield* givenCaller(root, "manager")
      for (const [slug, allowed] of Object.entries(grantable)) {
        const { user } = yield* givenCaller(root, "viewer")
        const created = yield* server.send("/api/v1/users", { token, json: yield* newUser(group(slug as GroupSlug)) })
        assert.strictEqual(created.status, allowed ? 201 : 403, slug)
        const granted = yield* server.send(`/api/v1/users/${user.user_id}`, {
          token,
          method: "PATCH",
          json: group(slug as GroupSlug)
        })
        assert.strictEqual(granted.status, allowed ? 200 : 403, slug)
        if (!allowed) assert.strictEqual(codeOf(granted), "PERMISSION_DENIED")
      }
    })))

  it.effect("T13 a caller cannot edit or delete a user with more permissions, nor set its password", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root, child] = yield* storeForest([null, 0])
      const { token } = yield* givenCaller(root, "manager")
      const { user } = yield* givenCaller(child, "admin")
      const path = `/api/v1/users/${user.user_id}`
      for (
        const json of [
          {},
          { name: "Another Name" },
          { status: "INACTIVE" },
          { password: "a password of mine" },
          group("viewer")
        ]
      ) {
        const reply = yield* server.send(path, { token, method: "PATCH", json })
        assert.strictEqual(codeOf(reply), "PERMISSION_DENIED", JSON.stringify(json))
      }
      assert.strictEqual(codeOf(yield* server.send(path, { token, method: "DELETE" })), "PERMISSION_DENIED")
      assert.strictEqual((yield* server.send(path, { token })).status, 200, "reading is allowed")
    })))

  it.effect("T13 a narrowed token grants only the permissions it holds", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root] = yield* storeForest([null])
      const { client } = yield* givenClient(root)
      const token = yield* tokenFor("client", client.client_id, "admin", ["users:read", "users:write"])
      for (const slug of ["admin", "manager", "operator", "viewer"] as const) {
        const reply = yield* server.send("/api/v1/users", { token, json: yield* newUser(group(slug)) })
        assert.strictEqual(codeOf(reply), "PERMISSION_DENIED", slug)
      }
    })))

  it.effect("T13 a user cannot promote itself: changing its own group or partner requires users:write", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root, child] = yield* storeForest([null, 0])
      for (const slug of ["viewer", "operator"] as const) {
        const { token, user } = yield* givenCaller(child, slug)
        for (
          const json of [group("admin"), { partner_id: root.partner_id }, { name: "Another Name" }, {
            must_change_password: false
          }]
        ) {
          const reply = yield* server.send(`/api/v1/users/${user.user_id}`, { token, method: "PATCH", json })
          assert.strictEqual(codeOf(reply), "PERMISSION_DENIED", `${slug} ${JSON.stringify(json)}`)
        }
      }
      const manager = yield* givenCaller(child, "manager")
      const path = `/api/v1/users/${manager.user.user_id}`
      const raised = yield* server.send(path, { token: manager.token, method: "PATCH", json: group("admin") })
      assert.strictEqual(codeOf(raised), "PERMISSION_DENIED")
      const moved = yield* server.send(path, {
        token: manager.token,
        method: "PATCH",
        json: { partner_id: root.partner_id }
      })
      assert.deepStrictEqual(problemsOf(moved), ["partner_id OUTSIDE_HIERARCHY"])
    })))

  it.effect("T13 an unknown group is a problem of its field", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root] = yield* storeForest([null])
      const { token } = yield* givenCaller(root)
      const unknown = yield* server.send("/api/v1/users", {
        token,
        json: yield* newUser({ group_id: root.partner_id })
      })
      assert.deepStrictEqual(problemsOf(unknown), ["group_id NOT_FOUND"])
      const upper = yield* server.send("/api/v1/users", {
        token,
        json: yield* newUser({ group_id: groupBySlug("viewer").group_id.toUpperCase() })
      })
      assert.deepStrictEqual([upper.status, at(upper, "data", "group", "slug")], [201, "viewer"])
    })))
})
