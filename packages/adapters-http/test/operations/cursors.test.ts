import { assert, describe, it } from "@effect/vitest"
import { storeForest, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { at, problemsOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

describe("cursors", () => {
  it.effect("PAGE-39 `next` leads through all pages, and only a request with `after` gets one", () =>
    withServer(Effect.gen(function*() {
      const { ask } = yield* arrange
      const whole = yield* ask("partners?sort=name")
      assert.notProperty(whole.body, "next")
      const walked: Array<unknown> = []
      const numbers: Array<unknown> = []
      let after: unknown = ""
      while (typeof after === "string") {
        const page = yield* ask(`partners?sort=name&size=2&after=${after}`)
        assert.strictEqual(page.status, 200)
        walked.push(...at(page, "content") as ReadonlyArray<unknown>)
        numbers.push([at(page, "page", "number"), at(page, "page", "total_elements")])
        after = at(page, "next")
      }
      assert.deepStrictEqual(walked, at(whole, "content"))
      assert.deepStrictEqual(numbers, [[0, 5], [1, 5], [2, 5]])
      const start = yield* ask("partners?sort=name&size=2&after=start")
      assert.deepStrictEqual(at(start, "content"), walked.slice(0, 2))
    })))

  it.effect("PAGE-36 PAGE-38 T84 a cursor that is malformed or of another list, caller, filter or sort is a problem of `after`", () =>
    withServer(Effect.gen(function*() {
      const { ask, foreign } = yield* arrange
      const cursor = String(at(yield* ask("partners?sort=name&size=2&after=start"), "next"))
      const others = [
        "partners?sort=name,desc",
        "partners?sort=name&sort=status",
        "partners?sort=name&status=active",
        "partners?",
        "users?sort=name"
      ]
      for (const query of others) {
        assert.deepStrictEqual(
          problemsOf(yield* ask(`${query}&after=${cursor}`)),
          ["query.after INVALID_FORMAT"],
          query
        )
      }
      const texts = [
        "x",
        "%00",
        "null",
        `${cursor}A`,
        cursor.slice(1),
        "A".repeat(8_000),
        "01900000-0000-7000-8000-000000000000"
      ]
      for (const text of texts) {
        const refused = yield* ask(`partners?sort=name&after=${text}`)
        assert.deepStrictEqual([refused.status, problemsOf(refused)], [422, ["query.after INVALID_FORMAT"]], text)
      }
      const elsewhere = yield* foreign(`partners?sort=name&after=${cursor}`)
      assert.deepStrictEqual(problemsOf(elsewhere), ["query.after INVALID_FORMAT"])
      assert.deepStrictEqual(problemsOf(yield* ask("partners?after=start&page=0")), ["query.page UNKNOWN_FIELD"])
      assert.strictEqual((yield* ask(`partners?sort=name&size=3&after=${cursor}`)).status, 200, "another page size")
    })))

  it.effect("every list takes `after`", () =>
    withServer(Effect.gen(function*() {
      const { ask } = yield* arrange
      for (const list of ["partners", "users", "clients", "fgts/applications", "proposals", "audit", "webhooks"]) {
        const page = yield* ask(`${list}?after=start&size=1`)
        assert.strictEqual(page.status, 200, list)
        assert.property(page.body, "next", list)
      }
    })))
})

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const [root, child] = yield* storeForest([null, 0, 0, 0, 0])
  const { token } = yield* givenCaller(root)
  const other = yield* givenCaller(child)
  yield* storeUser(root)
  return {
    ask: (path: string) => server.send(`/api/v1/${path}`, { token }),
    foreign: (path: string) => server.send(`/api/v1/${path}`, { token: other.token })
  }
})
