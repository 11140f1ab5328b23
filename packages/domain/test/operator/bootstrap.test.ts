import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase, storeRootPartner } from "@lastro/testkit"
import { Effect, Option, Redacted } from "effect"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { bootstrap } from "../../src/operator/bootstrap.ts"
import { listPartners } from "../../src/partner/ListPartners.ts"
import { listUsers } from "../../src/user/ListUsers.ts"
import { expectRefusal, permit, runInMemory } from "../fixtures.ts"

const signIns = Effect.fnUntraced(function*(
  made: Option.Option<{
    readonly admin_email: string
    readonly admin_password: Redacted.Redacted
    readonly client_id: string
    readonly client_secret: Redacted.Redacted
  }>
) {
  const { admin_email, admin_password, client_id, client_secret } = yield* Effect.fromOption(made)
  const user = yield* issueToken({
    grant_type: "password",
    username: admin_email,
    password: Redacted.value(admin_password)
  })
  const client = yield* issueToken({
    grant_type: "client_credentials",
    client_id,
    client_secret: Redacted.value(client_secret)
  })
  return [yield* resolveCaller(user.access_token), yield* resolveCaller(client.access_token)] as const
})

describe("bootstrap", () => {
  it.effect("C02 creates a working root, an administrator who must change the password, administrator and client in an empty database", () =>
    runInMemory(Effect.gen(function*() {
      const made = yield* bootstrap({})
      const [user, client] = yield* signIns(made)
      for (const caller of [user, client]) {
        assert.deepInclude(caller, { group: "admin", partner_id: user.root_id, must_change_password: caller === user })
      }
      const { content: [root], page } = yield* listPartners(yield* permit(client, "partners:read"), {})
      assert.deepInclude(root, { parent_id: null, person_type: "pj", status: "active" })
      assert.strictEqual(page.total_elements, 1)
      const { content: [admin] } = yield* listUsers(yield* permit(client, "users:read"), {})
      assert.deepInclude(admin, { email: "admin@lastro.example", status: "ACTIVE" })
      const { audit } = yield* (yield* MemoryDatabase).state
      assert.deepStrictEqual(
        audit.filter(({ actor }) => actor === "operator").map(({ action }) => action),
        ["partner.create", "user.create", "client.create"]
      )
    })))

  it.effect("uses the chosen values", () =>
    runInMemory(Effect.gen(function*() {
      const chosen = {
        admin_email: "Chefe@example.com",
        admin_password: Redacted.make("a chosen password"),
        client_id: "erp",
        client_secret: Redacted.make("a-chosen-secret!")
      }
      const made = yield* bootstrap(chosen)
      assert.deepStrictEqual(Option.map(made, ({ root_id: _, ...rest }) => rest), Option.some(chosen))
      yield* signIns(made)
    })))

  it.effect("AUTH-18 refuses a password that is easy to guess, in an empty database only", () =>
    runInMemory(Effect.gen(function*() {
      for (const guessable of ["unbelievable", "xxxxxxxxxxxx", "Administrador1", "chefe@example.com"]) {
        const chosen = { admin_email: "Chefe@example.com", admin_password: Redacted.make(guessable) }
        yield* expectRefusal(bootstrap(chosen), "admin_password GUESSABLE")
      }
      yield* storeRootPartner()
      assert.isTrue(Option.isNone(yield* bootstrap({ admin_password: Redacted.make("unbelievable") })))
    })))

  it.effect("does nothing if a partner exists", () =>
    runInMemory(Effect.gen(function*() {
      const { state } = yield* MemoryDatabase
      yield* storeRootPartner()
      const before = yield* state
      assert.deepStrictEqual(yield* bootstrap({ client_id: "erp" }), Option.none())
      assert.deepStrictEqual(yield* state, before)
    })))

  it.effect("of two concurrent starts, only one creates the records", () =>
    runInMemory(Effect.gen(function*() {
      const both = yield* Effect.all([bootstrap({}), bootstrap({})], { concurrency: "unbounded" })
      assert.strictEqual(both.filter(Option.isSome).length, 1)
      const { clients, partners, users } = yield* (yield* MemoryDatabase).state
      assert.deepStrictEqual([partners.size, users.size, clients.size], [1, 1, 1])
    })))

  it.effect("rejects all invalid choices at once and leaves the database empty", () =>
    runInMemory(Effect.gen(function*() {
      yield* expectRefusal(
        bootstrap({ admin_email: "chefe", admin_password: Redacted.make("short") }),
        "admin_email INVALID_FORMAT, admin_password TOO_SHORT"
      )
      yield* expectRefusal(bootstrap({ client_id: "lastro" }), "ClientIdTaken")
      yield* expectRefusal(bootstrap({ client_id: "a b" }), "ClientIdMalformed")
      yield* expectRefusal(bootstrap({ client_secret: Redacted.make("short") }), "ClientSecretMalformed")
    })))
})
