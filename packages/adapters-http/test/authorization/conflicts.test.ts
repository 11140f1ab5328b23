import { assert, describe, it } from "@effect/vitest"
import { groupBySlug, groupRecord } from "@lastro/domain/access"
import { storeChildPartner, storeForest, storeRootPartner, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { newPartner, newUser } from "../bodies.ts"
import { at, codeOf, type Reply } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

/** Returns an answer without its request id and date. */
const said = (reply: Reply) => ({
  status: reply.status,
  error: { ...Object(at(reply, "error")), request_id: "" },
  headers: [...reply.headers.keys()].toSorted()
})

describe("conflicts and searches", () => {
  it.effect("T35 the e-mail of a user outside the subtree conflicts like any other, with the same answer", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root] = yield* storeForest([null])
      const { token, user } = yield* givenCaller(root)
      const near = yield* storeUser(root, { group: groupRecord(groupBySlug("viewer")) })
      const far = yield* storeUser(yield* storeRootPartner())
      const create = (email: string) =>
        Effect.flatMap(newUser({ email }), (json) => server.send("/api/v1/users", { token, json }))
      const change = (email: string) =>
        server.send(`/api/v1/users/${near.user_id}`, { token, method: "PATCH", json: { email } })
      const conflict = said(yield* create(user.email))
      assert.deepStrictEqual([conflict.status, Object(conflict.error).code, Object(conflict.error).details], [
        409,
        "EMAIL_TAKEN",
        []
      ])
      assert.deepStrictEqual(said(yield* create(far.email)), conflict)
      assert.deepStrictEqual(said(yield* change(user.email)), conflict)
      assert.deepStrictEqual(said(yield* change(far.email)), conflict)
    })))

  it.effect("T34 a document conflicts only under the same root, and the answer names no partner", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root, own, sibling] = yield* storeForest([null, 0, 0])
      const { token } = yield* givenCaller(own)
      const mine = yield* storeChildPartner(own)
      const foreign = yield* storeRootPartner()
      const create = (document_number: string) =>
        Effect.flatMap(newPartner({ document_number }), (json) => server.send("/api/v1/partners", { token, json }))
      const conflict = said(yield* create(mine.document_number))
      assert.deepStrictEqual([conflict.status, Object(conflict.error).code, Object(conflict.error).details], [
        409,
        "DOCUMENT_TAKEN",
        []
      ])
      assert.deepStrictEqual(said(yield* create(sibling.document_number)), conflict)
      assert.deepStrictEqual(said(yield* create(root.document_number)), conflict)
      assert.strictEqual(
        (yield* create(foreign.document_number)).status,
        201,
        "a document is unique only under one root"
      )
    })))

  it.effect("T34 a search by CPF or its prefix finds only users in the caller's subtree", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const [root, own, sibling] = yield* storeForest([null, 0, 0])
      const { token } = yield* givenCaller(own)
      const mine = yield* storeUser(own)
      const foreign = [yield* storeUser(root), yield* storeUser(sibling), yield* storeUser(yield* storeRootPartner())]
      const search = (query: string) =>
        Effect.map(server.send(`/api/v1/users?${query}`, { token }), (reply) => ({
          ids: (at(reply, "content") as ReadonlyArray<{ readonly user_id: string }>).map(({ user_id }) => user_id),
          total: at(reply, "page", "total_elements")
        }))
      assert.deepStrictEqual(yield* search(`cpf=${mine.cpf}`), { ids: [mine.user_id], total: 1 })
      for (const { cpf, email, user_id } of foreign) {
        assert.deepStrictEqual(yield* search(`cpf=${cpf}`), { ids: [], total: 0 })
        assert.deepStrictEqual(yield* search(`email=${email}`), { ids: [], total: 0 })
        for (const length of [1, 3, 6, 9]) {
          assert.notInclude((yield* search(`cpf=${cpf.slice(0, length)}&size=100`)).ids, user_id)
        }
      }
      for (const partner of [root, sibling]) {
        const reply = yield* server.send(`/api/v1/partners?document_number=${partner.document_number}`, { token })
        assert.strictEqual(at(reply, "page", "total_elements"), 0)
      }
    })))

  it.effect("T23 an e-mail conflicts in any letter case and Unicode form, and finds the same user", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const email = "joão.conceição@example.com"
      const create = (one: string) =>
        Effect.flatMap(newUser({ email: one }), (json) => server.send("/api/v1/users", { token, json }))
      const created = yield* create(email.normalize("NFC"))
      assert.strictEqual(created.status, 201)
      const variants = [email.normalize("NFD"), email.toUpperCase(), email.toUpperCase().normalize("NFD"), ` ${email} `]
      for (const variant of variants) assert.strictEqual(codeOf(yield* create(variant)), "EMAIL_TAKEN", variant)
      for (const part of ["joao", "JOÃO", "conceicao", "Conceição".normalize("NFD")]) {
        const found = yield* server.send(`/api/v1/users?email=${encodeURIComponent(part)}`, { token })
        assert.strictEqual(at(found, "content", 0, "user_id"), at(created, "data", "user_id"), part)
      }
    })))

  it.effect("T23 a name is stored in one Unicode form", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const names = []
      for (const form of ["NFC", "NFD"]) {
        const json = yield* newPartner({ name: "João da Conceição".normalize(form) })
        names.push(at(yield* server.send("/api/v1/partners", { token, json }), "data", "name"))
      }
      assert.deepStrictEqual(names, ["João da Conceição", "João da Conceição"])
    })))
})
