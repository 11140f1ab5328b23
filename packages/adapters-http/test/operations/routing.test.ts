import { assert, it } from "@effect/vitest"
import { layerSandboxLender } from "@lastro/domain/adapters"
import { layerLenders } from "@lastro/domain/lender"
import { PendingWork, storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { newApplication } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const lender = layerLenders({
  blue: { layer: layerSandboxLender({ stepMs: 0 }), label: "Banco Azul" },
  green: layerSandboxLender({ stepMs: 0 }),
  red: { layer: layerSandboxLender({ stepMs: 0 }), status: "draining" }
})

/** A tree of three levels, with an administrator of each partner. */
const arranged = Effect.gen(function*() {
  const server = yield* Server
  const [root, child, grandchild] = yield* storeForest([null, 0, 1])
  const tokens = {
    root: (yield* givenCaller(root)).token,
    child: (yield* givenCaller(child)).token,
    grandchild: (yield* givenCaller(grandchild)).token
  }
  const path = ({ partner_id }: typeof root) => `/api/v1/partners/${partner_id}/routing`
  const put = (token: string, partner: typeof root, json: unknown, etag?: string) =>
    server.send(path(partner), { method: "PUT", token, json, headers: etag === undefined ? {} : { "if-match": etag } })
  const get = (token: string, partner: typeof root) => server.send(path(partner), { token })
  const open = (token: string, fields: Readonly<Record<string, unknown>> = {}) =>
    Effect.flatMap(
      newApplication(fields),
      (json) => server.send("/api/v1/fgts/applications", { method: "POST", token, json })
    )
  return { server, partners: { root, child, grandchild }, tokens, path, put, get, open }
})

const routing = (reply: Reply) =>
  ["strategy", "lenders", "effective", "inherited", "inherited_from", "version"].map((name) => at(reply, "data", name))

const all = (...lenders: ReadonlyArray<string>) => ({ strategy: "ALL", lenders })

const partsOf = (reply: Reply) => {
  const parts = at(reply, "quote", "parts") as ReadonlyArray<{ lender: { code: string } }>
  return parts.map(({ lender: { code } }) => code)
}

it.effect("ROUTE-01 ROUTE-02 ROUTE-03 a routing is inherited, narrowed, replaced under If-Match, and removed", () =>
  withServer(
    Effect.gen(function*() {
      const { get, partners: { child, grandchild, root }, path, put, server, tokens } = yield* arranged
      const none = yield* get(tokens.root, grandchild)
      assert.deepStrictEqual(routing(none), ["ALL", [], ["blue", "green", "red"], true, null, 0])
      const set = yield* put(tokens.root, root, { strategy: "FIRST", lenders: ["green", "blue"] })
      assert.deepStrictEqual([set.status, routing(set)], [200, [
        "FIRST",
        ["green", "blue"],
        ["green", "blue"],
        false,
        null,
        1
      ]])
      const stale = yield* put(tokens.root, root, all("green"), none.headers.get("etag") ?? "")
      assert.deepStrictEqual([stale.status, codeOf(stale)], [412, "PRECONDITION_FAILED"])
      assert.deepStrictEqual(routing(yield* get(tokens.root, grandchild)), [
        "FIRST",
        [],
        ["green", "blue"],
        true,
        root.partner_id,
        0
      ])
      assert.strictEqual(at(yield* get(tokens.child, grandchild), "data", "inherited_from"), null, "outside the scope")
      const refused = [
        [
          put(tokens.child, grandchild, all("red", "unknown", "blue", "blue")),
          "422 lenders[0] NOT_ALLOWED, lenders[1] NOT_ALLOWED, lenders[3] DUPLICATE"
        ],
        [put(tokens.child, grandchild, all()), "422 lenders TOO_SHORT"],
        [put(tokens.child, grandchild, { lenders: ["blue"] }), "422 strategy REQUIRED"],
        [put(tokens.child, child, all("blue")), "403 OWN_PARTNER"],
        [put(tokens.grandchild, root, all("blue")), "403 OUTSIDE_HIERARCHY"]
      ] as const
      for (const [call, expected] of refused) {
        const reply = yield* call
        assert.strictEqual(
          `${reply.status} ${reply.status === 422 ? problemsOf(reply).join(", ") : String(codeOf(reply))}`,
          expected
        )
      }
      const narrowed = yield* put(tokens.child, grandchild, all("blue", "green"))
      assert.deepStrictEqual(routing(narrowed), ["ALL", ["blue", "green"], ["blue", "green"], false, null, 1])
      assert.strictEqual(
        (yield* put(tokens.child, grandchild, all("blue", "green"))).headers.get("etag"),
        narrowed.headers.get("etag")
      )
      yield* put(tokens.root, child, all("green"))
      assert.deepStrictEqual(at(yield* get(tokens.child, grandchild), "data", "effective"), ["green"], "lost at once")
      assert.strictEqual((yield* server.send(path(child), { method: "DELETE", token: tokens.root })).status, 204)
      assert.deepStrictEqual(at(yield* get(tokens.child, grandchild), "data", "effective"), ["blue", "green"])
    }),
    { lender }
  ))

it.effect("ROUTE-04 a quote requests the active lenders of the routing, narrowed by the request", () =>
  withServer(
    Effect.gen(function*() {
      const { open, partners: { child, grandchild }, put, server, tokens } = yield* arranged
      const opened = yield* open(tokens.grandchild)
      assert.deepStrictEqual([opened.status, partsOf(opened)], [201, ["blue", "green"]], "red is draining")
      const one = yield* open(tokens.grandchild, { lenders: ["green"] })
      assert.deepStrictEqual(partsOf(one), ["green"])
      for (const lenders of [["red"], ["unknown"]]) {
        assert.deepStrictEqual(problemsOf(yield* open(tokens.grandchild, { lenders })), ["lenders[0] NOT_ALLOWED"])
      }
      assert.deepStrictEqual(problemsOf(yield* open(tokens.grandchild, { lenders: [] })), ["lenders TOO_SHORT"])
      yield* (yield* PendingWork).finish
      const requote = (json: unknown) =>
        server.send(`/api/v1/fgts/applications/${String(at(one, "application_id"))}/quotes`, {
          method: "POST",
          token: tokens.grandchild,
          json
        })
      assert.deepStrictEqual(partsOf(yield* requote({})), ["green"], "the lenders that were named before")
      yield* (yield* PendingWork).finish
      assert.deepStrictEqual(partsOf(yield* requote({ lenders: null })), ["blue", "green"])
      yield* put(tokens.root, child, all("red"))
      const no = yield* open(tokens.grandchild)
      assert.deepStrictEqual([no.status, codeOf(no)], [409, "NO_LENDER"])
      yield* put(tokens.root, child, { strategy: "FIRST", lenders: ["green", "blue"] })
      yield* put(tokens.child, grandchild, all("blue"))
      assert.deepStrictEqual(partsOf(yield* open(tokens.child)), ["green", "blue"])
      assert.deepStrictEqual(partsOf(yield* open(tokens.grandchild)), ["blue"])
    }),
    { lender }
  ))

it.effect("lenders are listed with their label and status: those of the routing", () =>
  withServer(
    Effect.gen(function*() {
      const { partners: { child }, put, server, tokens } = yield* arranged
      yield* put(tokens.root, child, all("red", "blue"))
      const listed = yield* server.send("/api/v1/lenders", { token: tokens.child })
      const lenders = at(listed, "data") as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.deepStrictEqual(lenders.map(({ code, label, status }) => [code, label, status]), [
        ["red", "red", "DRAINING"],
        ["blue", "Banco Azul", "ACTIVE"]
      ])
      assert.deepStrictEqual(lenders[0]?.["exits"], { cancel: true, refund: true, signature_link: true })
    }),
    { lender }
  ))
