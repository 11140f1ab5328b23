import { assert, describe, it } from "@effect/vitest"
import { groupBySlug, groupRecord } from "@lastro/domain/access"
import { completePartner, storeChildPartner, storeRootPartner, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { newPartner, newUser } from "../bodies.ts"
import { at, problemsOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const another = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

/** Fields that only answers about partners have, with a harmful value each. */
const partnerOnly = {
  partner_id: another,
  status: "active",
  created_at: "2020-01-01T00:00:00.000Z",
  parent_id: another,
  person_type: "pj",
  root_id: another,
  deleted_at: null
}

/** Fields that only answers about users have. */
const userOnly = {
  user_id: another,
  created_at: "2020-01-01T00:00:00.000Z",
  must_change_password: false,
  group: { slug: "admin" },
  partners: [],
  credentials_version: 1,
  temporary_password: "x",
  password_hash: "x"
}

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const root = yield* storeRootPartner()
  const { token } = yield* givenCaller(root)
  const whole = yield* completePartner
  const partner = yield* storeChildPartner(root, { ...whole, parent_id: root.partner_id })
  const user = yield* storeUser(root, { group: groupRecord(groupBySlug("operator")) })
  const paths = { partner: `/api/v1/partners/${partner.partner_id}`, user: `/api/v1/users/${user.user_id}` }
  const read = (path: string) => Effect.map(server.send(path, { token }), (reply) => at(reply, "data"))
  const patch = (path: string, json: unknown) => server.send(path, { token, method: "PATCH", json })
  return { server, token, partner, user, paths, read, patch }
})

describe("mass assignment", () => {
  it.effect("T25 a field that only the system sets is an unknown field in every request", () =>
    withServer(Effect.gen(function*() {
      const { patch, paths, read, server, token } = yield* arrange
      const total = Effect.map(
        server.send("/api/v1/partners", { token }),
        (reply) => at(reply, "page", "total_elements")
      )
      const [before, count] = [yield* read(paths.partner), yield* total]
      for (const [field, value] of Object.entries(partnerOnly)) {
        const body = yield* newPartner()
        const bodies = [{ ...body, [field]: value }, { partner: { ...body.partner, [field]: value } }]
        for (const [index, json] of bodies.entries()) {
          const path = index === 0 ? field : `partner.${field}`
          assert.deepStrictEqual(problemsOf(yield* server.send("/api/v1/partners", { token, json })), [
            `${path} UNKNOWN_FIELD`
          ])
        }
        for (
          const [json, path] of [
            [{ [field]: value }, field],
            // A patch can change the status of a partner below.
            ...field === "status" ? [] : [[{ partner: { [field]: value } }, `partner.${field}`] as const]
          ] as const
        ) {
          assert.deepStrictEqual(problemsOf(yield* patch(paths.partner, json)), [`${path} UNKNOWN_FIELD`])
        }
      }
      assert.deepStrictEqual([yield* read(paths.partner), yield* total], [before, count])
      const user = yield* read(paths.user)
      for (const [field, value] of Object.entries({ ...userOnly, status: "INACTIVE" })) {
        const json = { ...(yield* newUser()), [field]: value }
        assert.deepStrictEqual(problemsOf(yield* server.send("/api/v1/users", { token, json })), [
          `${field} UNKNOWN_FIELD`
        ])
      }
      for (const [field, value] of Object.entries(userOnly)) {
        assert.deepStrictEqual(problemsOf(yield* patch(paths.user, { [field]: value })), [`${field} UNKNOWN_FIELD`])
      }
      assert.deepStrictEqual(yield* read(paths.user), user)
    })))

  it.effect("T25 an immutable field is accepted with its stored value and rejected with any other", () =>
    withServer(Effect.gen(function*() {
      const { partner, patch, paths, read, user } = yield* arrange
      const [before, userBefore] = [yield* read(paths.partner), yield* read(paths.user)]
      const same = { partner: { type: partner.person_type, document_number: partner.document_number } }
      assert.strictEqual((yield* patch(paths.partner, same)).status, 200)
      const other = yield* patch(paths.partner, {
        partner: { type: "pf", document_number: "52998224725", name: "Another" }
      })
      assert.deepStrictEqual(problemsOf(other), ["partner.document_number IMMUTABLE", "partner.type IMMUTABLE"])
      assert.strictEqual((yield* patch(paths.user, { cpf: user.cpf })).status, 200)
      const cpf = yield* patch(paths.user, { cpf: "52998224725", name: "Another Name" })
      assert.deepStrictEqual(problemsOf(cpf), ["cpf IMMUTABLE"])
      assert.deepStrictEqual(
        [yield* read(paths.partner), yield* read(paths.user)],
        [before, userBefore],
        "all or nothing"
      )
    })))

  const clearable = ["pix", "address", "bank_account"]
  const clearableFields = [
    "address.complement",
    "address.district",
    "bank_account.agency_digit",
    "bank_account.account_digit"
  ]
  const required = {
    partner: ["type", "name", "email", "phone", "document_number", "parent_uuid"],
    pix: ["key", "type"],
    address: ["zipcode", "uf", "city", "neighborhood", "street", "number"],
    bank_account: ["type", "agency", "bank_code", "account_number"]
  }

  it.effect("T26 null clears an optional field and is rejected for a required one; an absent field does not change", () =>
    withServer(Effect.gen(function*() {
      const { patch, paths, read } = yield* arrange
      const before = yield* read(paths.partner)
      for (const json of [{}, { partner: {} }, { pix: {} }, { address: {}, bank_account: {} }]) {
        assert.strictEqual((yield* patch(paths.partner, json)).status, 200)
        assert.deepStrictEqual(yield* read(paths.partner), before, JSON.stringify(json))
      }
      for (const [group, fields] of Object.entries(required)) {
        for (const field of fields) {
          const reply = yield* patch(paths.partner, { [group]: { [field]: null } })
          assert.deepStrictEqual(problemsOf(reply), [`${group}.${field} NOT_NULLABLE`])
        }
      }
      assert.deepStrictEqual(problemsOf(yield* patch(paths.partner, { partner: null })), ["partner NOT_NULLABLE"])
      assert.deepStrictEqual(yield* read(paths.partner), before)
      for (const path of clearableFields) {
        const [group = "", field = ""] = path.split(".")
        const reply = yield* patch(paths.partner, { [group]: { [field]: null } })
        assert.strictEqual(reply.status, 200, path)
        assert.isNull(at(reply, "data", group, field), path)
        assert.isNotNull(at(reply, "data", group), path)
      }
      for (const group of clearable) {
        const reply = yield* patch(paths.partner, { [group]: null })
        assert.strictEqual(reply.status, 200, group)
        assert.isNull(at(reply, "data", group), group)
      }
      for (const field of ["name", "email", "phone", "cpf", "status", "group_id", "partner_id", "password"]) {
        const problems = problemsOf(yield* patch(paths.user, { [field]: null }))
        assert.deepStrictEqual(problems, [`${field} NOT_NULLABLE`])
      }
    })))

  it.effect("T26 a cleared group must be sent again in full", () =>
    withServer(Effect.gen(function*() {
      const { patch, paths } = yield* arrange
      yield* patch(paths.partner, { address: null })
      const partial = yield* patch(paths.partner, { address: { city: "Recife" } })
      assert.deepStrictEqual(
        problemsOf(partial),
        ["neighborhood", "number", "street", "uf", "zipcode"].map((field) => `address.${field} REQUIRED`)
      )
    })))
})
