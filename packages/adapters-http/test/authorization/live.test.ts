import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { ApiClientRepository, type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { UserRepository } from "@lastro/domain/user"
import { currentTimestamp } from "@lastro/domain/values"
import { storeContractedApplication, storeForest } from "@lastro/testkit"
import { Effect, Redacted } from "effect"
import { at } from "../client.ts"
import { givenCaller, givenClient } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const deactivate = Effect.fnUntraced(function*(partner: PartnerDetail) {
  yield* (yield* PartnerRepository).update(asOperator.inScope(partner), { ...partner, status: "inactive" })
})

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const [root, middle, leaf] = yield* storeForest([null, 0, 1])
  const admin = yield* givenCaller(root)
  const caller = yield* givenCaller(leaf)
  const client = yield* givenClient(leaf)
  const path = `/api/v1/users/${caller.user.user_id}`
  const asAdmin = (path: string, method: string, json?: unknown) =>
    server.send(path, { token: admin.token, method, ...(json === undefined ? {} : { json }) })
  const status = (token: string) => Effect.map(server.send("/api/v1/partners", { token }), (reply) => reply.status)
  assert.deepStrictEqual([yield* status(caller.token), yield* status(client.token)], [200, 200])
  return { server, root, middle, leaf, caller, client, path, asAdmin, status }
})

describe("live authorization", () => {
  it.effect("T08 a user's token ends when the user is deleted, deactivated or moved, or changes its password", () =>
    Effect.gen(function*() {
      const ends = {
        deleted: (given: Arranged) => given.asAdmin(given.path, "DELETE"),
        inactive: (given: Arranged) => given.asAdmin(given.path, "PATCH", { status: "INACTIVE" }),
        moved: (given: Arranged) => given.asAdmin(given.path, "PATCH", { partner_id: given.middle.partner_id }),
        "another password": (given: Arranged) =>
          given.asAdmin(given.path, "PATCH", { password: "a password of another" }),
        "another password, by the operator": (given: Arranged) =>
          Effect.flatMap(
            UserRepository,
            (users) =>
              users.setPassword(asOperator.inScope({ ...given.caller.user, partners: [] }), "$new$" as PasswordHash)
          )
      }
      for (const [name, end] of Object.entries(ends)) {
        yield* withServer(Effect.gen(function*() {
          const given = yield* arrange
          yield* end(given)
          assert.strictEqual(yield* given.status(given.caller.token), 401, name)
          assert.strictEqual(yield* given.status(given.client.token), 200, name)
        }))
      }
    }))

  it.effect("T08 a client's token ends when the client is revoked or its secret rotates", () =>
    withServer(Effect.gen(function*() {
      const { caller, client, leaf, status } = yield* arrange
      const clients = yield* ApiClientRepository
      const other = yield* givenClient(leaf)
      yield* clients.setSecret(client.client.client_id, "$new$" as PasswordHash)
      assert.deepStrictEqual([yield* status(client.token), yield* status(other.token)], [401, 200])
      yield* clients.revoke(other.client.client_id, yield* currentTimestamp)
      assert.deepStrictEqual([yield* status(other.token), yield* status(caller.token)], [401, 200])
    })))

  it.effect("T08 PRIV-12 a refused token leaves no audit entry of a read KYC", () =>
    withServer(Effect.gen(function*() {
      const { asAdmin, client, leaf, server } = yield* arrange
      const { application_id } = yield* storeContractedApplication(leaf)
      const read = Effect.map(
        server.send(`/api/v1/fgts/applications/${application_id}/kyc`, { token: client.token }),
        (reply) => reply.status
      )
      const entries = Effect.map(
        asAdmin(`/api/v1/audit?subject_id=${application_id}&action=application.kyc_read`, "GET"),
        (reply) => at(reply, "page", "total_elements")
      )
      assert.deepStrictEqual([yield* read, yield* entries], [200, 1])
      yield* (yield* ApiClientRepository).revoke(client.client.client_id, yield* currentTimestamp)
      assert.deepStrictEqual([yield* read, yield* entries], [401, 1])
    })))

  it.effect("T08 tokens end when the partner or one of its ancestors is deactivated or deleted", () =>
    Effect.gen(function*() {
      for (const which of ["leaf", "middle", "root"] as const) {
        yield* withServer(Effect.gen(function*() {
          const given = yield* arrange
          yield* deactivate(given[which])
          assert.deepStrictEqual([yield* given.status(given.caller.token), yield* given.status(given.client.token)], [
            401,
            401
          ])
        }))
      }
      yield* withServer(Effect.gen(function*() {
        const { client, leaf, status } = yield* arrange
        yield* (yield* PartnerRepository).remove(asOperator.inScope(leaf), yield* currentTimestamp)
        assert.strictEqual(yield* status(client.token), 401)
      }))
    }))

  it.effect("T08 a permission that a group loses ends at once, without a new token", () =>
    withServer(Effect.gen(function*() {
      const { asAdmin, caller, path, server } = yield* arrange
      yield* asAdmin(path, "PATCH", { group_id: "01900000-0000-7000-8000-000000000004" })
      const denied = yield* server.send("/api/v1/partners", { token: caller.token, json: {} })
      assert.strictEqual(denied.status, 403)
    })))

  it.effect("T09 after a move each token sees exactly its new subtree", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root, left, right, moved, below] = yield* storeForest([null, 0, 0, 1, 3])
      const tokens = {
        root: (yield* givenCaller(root)).token,
        left: (yield* givenCaller(left)).token,
        right: (yield* givenCaller(right)).token,
        moved: (yield* givenCaller(moved)).token
      }
      const seen = (token: string) =>
        Effect.map(server.send("/api/v1/partners?size=100", { token }), (reply) =>
          (at(reply, "content") as ReadonlyArray<PartnerDetail>).map(({ partner_id }) => partner_id).toSorted())
      const ids = (...partners: ReadonlyArray<PartnerDetail>) =>
        partners.map(({ partner_id }) =>
          partner_id as string
        ).toSorted()
      assert.deepStrictEqual(yield* seen(tokens.left), ids(left, moved, below))
      assert.deepStrictEqual(yield* seen(tokens.right), ids(right))
      const move = yield* server.send(`/api/v1/partners/${moved.partner_id}`, {
        token: tokens.root,
        method: "PATCH",
        json: { partner: { parent_uuid: right.partner_id } }
      })
      assert.strictEqual(move.status, 200)
      assert.deepStrictEqual(yield* seen(tokens.left), ids(left))
      assert.deepStrictEqual(yield* seen(tokens.right), ids(right, moved, below))
      assert.deepStrictEqual(yield* seen(tokens.moved), ids(moved, below))
      for (const partner of [moved, below]) {
        const path = `/api/v1/partners/${partner.partner_id}`
        assert.strictEqual((yield* server.send(path, { token: tokens.left })).status, 403)
        assert.strictEqual((yield* server.send(path, { token: tokens.right })).status, 200)
      }
    })))

  it.effect("T39 while a password change is due, a user can only change its password", () =>
    withServer(Effect.gen(function*() {
      const { asAdmin, leaf, server } = yield* arrange
      const temporary = yield* givenTemporary(leaf)
      const { path, token } = temporary
      const send = (path: string, method: string, json?: unknown) =>
        Effect.map(server.send(path, { token, method, ...(json === undefined ? {} : { json }) }), (reply) => reply)
      const refused = [
        yield* send("/api/v1/users/me", "GET"),
        yield* send(path, "GET"),
        yield* send("/api/v1/groups", "GET"),
        yield* send("/api/v1/partners", "GET"),
        yield* send("/api/v1/partners", "POST", {}),
        yield* send(path, "PATCH", {}),
        yield* send(path, "PATCH", { name: "Another Name" }),
        yield* send(path, "PATCH", {
          name: "Another Name",
          password: "a password of my own",
          current_password: temporary.password
        }),
        yield* send(path, "PATCH", { current_password: temporary.password }),
        yield* send(path, "PATCH", []),
        yield* send(path, "DELETE"),
        yield* send(`/api/v1/users/${temporary.other}`, "PATCH", { password: "a password of another" })
      ]
      for (const reply of refused) {
        assert.strictEqual(at(reply, "error", "code"), "PASSWORD_CHANGE_REQUIRED", reply.text)
      }
      const wrong = yield* send(path, "PATCH", { password: "a password of my own", current_password: "wrong" })
      assert.strictEqual(wrong.status, 422)
      const changed = yield* send(path, "PATCH", {
        password: "a password of my own",
        current_password: temporary.password
      })
      assert.strictEqual(changed.status, 200)
      assert.strictEqual(at(changed, "data", "must_change_password"), false)
      assert.strictEqual((yield* send("/api/v1/users/me", "GET")).status, 401, "must sign in again")
      const again = yield* asAdmin(path, "PATCH", { password: "set by an administrator" })
      assert.strictEqual(at(again, "data", "must_change_password"), true)
    })))
})

type Arranged = Effect.Success<typeof arrange>

const givenTemporary = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const password = "a temporary password"
  const hash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
  const { token, user } = yield* givenCaller(partner, "admin", { must_change_password: true }, hash)
  const other = yield* givenCaller(partner, "viewer")
  return { token, password, path: `/api/v1/users/${user.user_id}`, other: other.user.user_id }
})
