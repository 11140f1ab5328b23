import { assert, describe, it } from "@effect/vitest"
import { storeForest, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { at, problemsOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { sendRaw } from "../raw.ts"

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const [root] = yield* storeForest([null, 0, 0, 0, 0])
  const { token } = yield* givenCaller(root)
  yield* storeUser(root)
  return { token, ask: (query: string, list = "partners") => server.send(`/api/v1/${list}?${query}`, { token }) }
})

describe("lists", () => {
  it.effect("T18 a sort with an unknown field or direction is a problem of query.sort", () =>
    withServer(Effect.gen(function*() {
      const { ask } = yield* arrange
      const sorts = [
        "nonsense",
        ".",
        ",desc",
        "name,up",
        "name,asc,x",
        "name;drop",
        "name desc",
        "__proto__",
        "constructor",
        "Name",
        "name%00",
        "'",
        "person_type",
        "page"
      ]
      for (const sort of sorts) {
        const reply = yield* ask(`sort=${encodeURIComponent(sort)}`)
        assert.strictEqual(reply.status, 422, sort)
        assert.deepStrictEqual([...new Set(problemsOf(reply))], ["query.sort UNKNOWN_VALUE"], sort)
      }
      const many = yield* ask(Array.from({ length: 1000 }, () => "sort=name").join("&"))
      assert.deepStrictEqual([many.status, at(many, "sort")], [200, [{ property: "name", direction: "asc" }]])
      const several = yield* ask("sort=status,DESC&sort=name&sort=status,asc")
      assert.deepStrictEqual(at(several, "sort"), [{ property: "status", direction: "desc" }, {
        property: "name",
        direction: "asc"
      }])
      const named = yield* ask("sort=full_name,desc&sort=name", "users")
      assert.deepStrictEqual(at(named, "sort"), [{ property: "full_name", direction: "desc" }])
      const own = yield* ask("sort=name&sort=full_name,desc", "users")
      assert.deepStrictEqual(at(own, "sort"), [{ property: "name", direction: "asc" }])
      const none = yield* ask("sort=")
      assert.deepStrictEqual(at(none, "sort"), [{ property: "created_at", direction: "desc" }])
    })))

  const pages: ReadonlyArray<readonly [value: string, page: number | undefined, size: number | undefined]> = [
    ["0", 0, 1],
    ["-1", 0, 1],
    ["-99999999999999999999", 0, 1],
    ["1", 1, 1],
    ["007", 7, 7],
    ["101", 101, 100],
    ["1000000000", 1_000_000_000, 100],
    ["9223372036854775808", 1_000_000_000, 100],
    ["9007199254740993", 1_000_000_000, 100],
    [`1${"0".repeat(400)}`, 1_000_000_000, 100],
    ["", undefined, undefined],
    ["1e2", undefined, undefined],
    ["1e308", undefined, undefined],
    [" 1", undefined, undefined],
    ["+1", undefined, undefined],
    ["1.0", undefined, undefined],
    ["0x10", undefined, undefined],
    ["NaN", undefined, undefined],
    ["١", undefined, undefined],
    ["null", undefined, undefined]
  ]

  it.effect("T19 page and size are clamped or rejected, and never cause a 500", () =>
    withServer(Effect.gen(function*() {
      const { ask } = yield* arrange
      for (const [value, page, size] of pages) {
        for (const [name, expected] of [["page", page], ["size", size]] as const) {
          const reply = yield* ask(`${name}=${encodeURIComponent(value)}`)
          if (expected === undefined) {
            assert.deepStrictEqual(
              [reply.status, problemsOf(reply)],
              [422, [`query.${name} INVALID_TYPE`]],
              `${name} ${value}`
            )
          } else {
            assert.strictEqual(reply.status, 200, `${name} ${value}`)
            assert.strictEqual(at(reply, "page", name === "page" ? "number" : "size"), expected, `${name} ${value}`)
          }
        }
      }
      const far = yield* ask("page=1000000&size=100")
      assert.deepStrictEqual([far.status, at(far, "content"), at(far, "page", "total_elements")], [200, [], 5])
    })))

  it.effect("reports every invalid parameter and every unknown one at once", () =>
    withServer(Effect.gen(function*() {
      const { ask } = yield* arrange
      const reply = yield* ask("page=x&size=y&sort=z&person_type=zz&parent_id=1&whatever=1&__proto__=1")
      assert.deepStrictEqual(problemsOf(reply), [
        "query.__proto__ UNKNOWN_FIELD",
        "query.page INVALID_TYPE",
        "query.parent_id INVALID_FORMAT",
        "query.person_type UNKNOWN_VALUE",
        "query.size INVALID_TYPE",
        "query.sort UNKNOWN_VALUE",
        "query.whatever UNKNOWN_FIELD"
      ])
      for (const query of ["__proto__=1", "a[b]=1", "whatever=%ff", "Page=1"]) {
        const [problem] = problemsOf(yield* ask(query))
        assert.strictEqual(problem, `query.${query.split("=")[0] ?? ""} UNKNOWN_FIELD`)
      }
      for (const query of ["&&=&", "page=0&page=x", "name"]) {
        assert.strictEqual((yield* ask(query)).status, 200, query)
      }
    })))

  it.effect("T22 a parameter that is not well-formed UTF-8 is rejected by name", () =>
    withServer(Effect.gen(function*() {
      const { ask, token } = yield* arrange
      const server = yield* Server
      const raw = (query: string) =>
        Effect.map(
          sendRaw(server.port, { path: `/api/v1/partners?${query}`, headers: { authorization: `Bearer ${token}` } }),
          ({ status, text }) => ({ status, headers: new Headers(), text, body: JSON.parse(text) as unknown })
        )
      const problems: Readonly<Record<string, ReadonlyArray<string>>> = {
        "name=%ff": ["query.name INVALID_FORMAT"],
        "name=%c3%28": ["query.name INVALID_FORMAT"],
        "name=%": ["query.name INVALID_FORMAT"],
        "name=50%": ["query.name INVALID_FORMAT"],
        "name=%zz": ["query.name INVALID_FORMAT"],
        "name=%ed%a0%80": ["query.name INVALID_FORMAT"],
        "name=%c0%af": ["query.name INVALID_FORMAT"],
        "page=%ff&sort=%&name=a&page=%fe": ["query.page INVALID_FORMAT", "query.sort INVALID_FORMAT"],
        "%ff=1": ["query INVALID_FORMAT"],
        "%": ["query INVALID_FORMAT"],
        "na%6de=%ff": ["query.name INVALID_FORMAT"]
      }
      for (const [query, expected] of Object.entries(problems)) {
        const reply = yield* raw(query)
        assert.strictEqual(reply.status, 422, query)
        assert.deepStrictEqual(problemsOf(reply), expected, query)
      }
      assert.strictEqual((yield* ask("name=%25")).status, 200)
      assert.strictEqual((yield* ask("name=jos%C3%A9+s")).status, 200)
      assert.strictEqual((yield* ask("email=%ff", "users")).status, 422)
      const own = yield* server.send("/api/v1/users/me?name=1&page=1", { token })
      assert.deepStrictEqual(problemsOf(own), ["query.name UNKNOWN_FIELD", "query.page UNKNOWN_FIELD"])
      const unknown = yield* server.send("/api/v1/partners/0190a2b4-0000-7000-8000-000000000000?name=1", { token })
      assert.strictEqual(unknown.status, 404, "existence comes first")
      assert.strictEqual((yield* server.send("/api/v1/partners?name=%ff")).status, 401, "permission comes first")
    })))

  it.effect("pages partition the list, and the envelope holds the applied page, size and sort", () =>
    withServer(Effect.gen(function*() {
      const { ask } = yield* arrange
      const ids: Array<unknown> = []
      for (const page of [0, 1, 2]) {
        const reply = yield* ask(`page=${page}&size=2&sort=name,desc`)
        assert.deepStrictEqual(at(reply, "page"), { number: page, size: 2, total_elements: 5, total_pages: 3 })
        ids.push(
          ...(at(reply, "content") as ReadonlyArray<{ readonly partner_id: string }>).map(({ partner_id }) =>
            partner_id
          )
        )
      }
      assert.deepStrictEqual([ids.length, new Set(ids).size], [5, 5])
      const users = yield* ask("size=1", "users")
      assert.deepStrictEqual(at(users, "page"), { number: 0, size: 1, total_elements: 2, total_pages: 2 })
    })))
})
