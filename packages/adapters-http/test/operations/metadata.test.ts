import { assert, describe, it } from "@effect/vitest"
import { PendingWork, storeChildPartner, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newApplication, newPartner, newUser } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const strange = "{\"plan\":\"gold\",\"__proto__\":\"a\",\"constructor\":\"b\",\"ação 🏦\":\"c\",\"2\":\"\"}"

/** The three records with metadata: their path, their body, and the path of the id and the metadata in a response. */
const kinds = [
  { path: "/api/v1/partners", body: newPartner(), id: "partner_id", at: ["data"] },
  { path: "/api/v1/users", body: newUser(), id: "user_id", at: ["data"] },
  { path: "/api/v1/fgts/applications", body: newApplication(), id: "application_id", at: [] }
] as const

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const root = yield* storeRootPartner()
  const { token } = yield* givenCaller(root)
  yield* storeChildPartner(root)
  return (path: string, json?: unknown, method?: string, headers: Record<string, string> = {}) =>
    server.send(path, {
      token,
      headers,
      ...(json === undefined ? {} : { json }),
      ...(method === undefined ? {} : { method })
    })
})

const entries = (reply: Reply, ...path: ReadonlyArray<string>) =>
  new Map(Object.entries(at(reply, ...path, "metadata") as Record<string, string>))

const idsOf = (reply: Reply, id: string): ReadonlyArray<unknown> =>
  (at(reply, "content") as ReadonlyArray<Record<string, unknown>>).map((one) => one[id])

describe("metadata", () => {
  for (const kind of kinds) {
    it.effect(`META-03 META-04 META-06 ${kind.path}: create, read, patch and filter`, () =>
      withServer(Effect.gen(function*() {
        const send = yield* arrange
        const metadata = JSON.parse(strange) as Record<string, string>
        const created = yield* send(kind.path, { ...yield* kind.body, metadata })
        assert.strictEqual(created.status, 201, created.text)
        yield* (yield* PendingWork).finish
        const id = String(at(created, ...kind.at, kind.id))
        const expected = new Map(Object.entries(metadata))
        const read = yield* send(`${kind.path}/${id}`)
        for (const reply of [created, read]) assert.deepStrictEqual(entries(reply, ...kind.at), expected)

        const tag = { "if-match": read.headers.get("etag") ?? "" }
        const patch = { metadata: { plan: "silver", constructor: null, region: "south" } }
        const patched = yield* send(`${kind.path}/${id}`, patch, "PATCH", tag)
        const merged = new Map([...expected, ["plan", "silver"], ["region", "south"]])
        merged.delete("constructor")
        assert.deepStrictEqual([patched.status, entries(patched, ...kind.at)], [200, merged])
        assert.notStrictEqual(patched.headers.get("etag"), tag["if-match"])
        assert.strictEqual(patched.headers.get("etag"), (yield* send(`${kind.path}/${id}`)).headers.get("etag"))
        assert.strictEqual(codeOf(yield* send(`${kind.path}/${id}`, patch, "PATCH", tag)), "PRECONDITION_FAILED")

        const matching = [
          "metadata[plan]=silver",
          "metadata%5Bplan%5D=silver&metadata[region]=south",
          "metadata[__proto__]=a",
          "metadata[2]=",
          `metadata[${encodeURIComponent("ação 🏦")}]=c`
        ]
        for (const query of matching) {
          const list = yield* send(`${kind.path}?${query}`)
          assert.deepStrictEqual([idsOf(list, kind.id), at(list, "page", "total_elements")], [[id], 1], query)
          assert.deepStrictEqual(new Map(Object.entries(at(list, "content", 0, "metadata") as object)), merged)
        }
        for (const query of ["metadata[plan]=gold", "metadata[plan]=silver&metadata[region]=north", "metadata[x]="]) {
          assert.deepStrictEqual(idsOf(yield* send(`${kind.path}?${query}`), kind.id), [], query)
        }
        // The detail of a partner has the field only where it is not empty, as the source interface lists no such
        // field.
        const empty = kind.path === "/api/v1/partners" ? undefined : {}
        const cleared = yield* send(`${kind.path}/${id}`, { metadata: null }, "PATCH")
        assert.deepStrictEqual(at(cleared, ...kind.at, "metadata"), empty)
        const plain = yield* send(kind.path, yield* kind.body)
        assert.deepStrictEqual(at(plain, ...kind.at, "metadata"), empty)
      })))

    it.effect(`META-01 META-02 META-03 META-05 ${kind.path}: invalid metadata is 422 with its field`, () =>
      withServer(Effect.gen(function*() {
        const send = yield* arrange
        const body = yield* kind.body
        const id = String(at(yield* send(kind.path, body), ...kind.at, kind.id))
        const wrong = {
          ...Object.fromEntries([["a\0", "x"], ["b", "x\0"], ["c[", "x"], ["d", 1], ["\ud800", "x"], ["e", "\udc00"]]),
          f: "v".repeat(501)
        }
        const problems = [
          "metadata.a\0 INVALID_FORMAT",
          "metadata.b INVALID_FORMAT",
          "metadata.c[ INVALID_FORMAT",
          "metadata.d INVALID_TYPE",
          "metadata.\ud800 INVALID_FORMAT",
          "metadata.e INVALID_FORMAT",
          "metadata.f TOO_LONG"
        ]
        const other = yield* kind.body
        for (
          const refused of [
            yield* send(kind.path, { ...other, metadata: wrong }),
            yield* send(`${kind.path}/${id}`, { metadata: wrong }, "PATCH")
          ]
        ) {
          assert.strictEqual(refused.status, 422)
          assert.sameMembers([...problemsOf(refused)], problems)
          assert.notInclude(refused.text, "vvv")
        }
        const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [index, "x"]))
        const tooMany = yield* send(`${kind.path}/${id}`, { metadata: many }, "PATCH")
        assert.deepStrictEqual(problemsOf(tooMany), ["metadata TOO_LONG"])
        assert.include(tooMany.text, "at most 50 keys")

        const queries = [
          ["metadata=gold", "query.metadata INVALID_TYPE"],
          ["metadata[a][b]=x", "query.metadata[a][b] INVALID_TYPE"],
          ["metadata[a]=x&metadata[a]=y", "query.metadata[a] INVALID_TYPE"],
          ["metadata[a]=x&metadata%5Ba%5D=x", "query.metadata[a] INVALID_TYPE"],
          ["metadata[a]=%00", "query.metadata[a] INVALID_FORMAT"],
          ["metadata[a]=%ff", "query.metadata[a] INVALID_FORMAT"],
          ["metadata[%ff]=x", "query INVALID_FORMAT"],
          ["metadata[]=x", "query.metadata[] TOO_SHORT"]
        ] as const
        for (const [query, problem] of queries) {
          const refused = yield* send(`${kind.path}?${query}`)
          assert.deepStrictEqual([refused.status, problemsOf(refused)], [422, [problem]], query)
        }
      })))
  }

  it.effect("FGTS-52 META-06 with a filter by metadata, the applications are a page with the right total in each status", () =>
    withServer(Effect.gen(function*() {
      const send = yield* arrange
      const path = "/api/v1/fgts/applications"
      for (const plan of ["gold", "gold", "silver"]) {
        yield* send(path, yield* newApplication({ external_id: "loan-1", metadata: { plan } }))
      }
      const totals = (query: string) =>
        Effect.map(send(`${path}?${query}`), (reply) => at(reply, "page", "total_elements"))
      assert.strictEqual(yield* totals("status=QUOTING&metadata[plan]=gold"), 2)
      assert.strictEqual(yield* totals("external_id=loan-1&metadata[plan]=silver"), 1)
      assert.strictEqual(yield* totals("status=EXPIRED&metadata[plan]=gold"), 0)
    })))
})
