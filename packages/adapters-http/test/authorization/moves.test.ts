import { assert, describe, it } from "@effect/vitest"
import { type PartnerDetail } from "@lastro/domain/partner"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect } from "effect"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { Server, withServer } from "../harness.ts"
import { givenPlaces, inhabited, partnerIds, type Place, places } from "./places.ts"

const outside = { sibling: "403 OUTSIDE_HIERARCHY", parent: "403 OUTSIDE_HIERARCHY", stranger: "403 OUTSIDE_HIERARCHY" }

const refusedParents = {
  sibling: "OUTSIDE_HIERARCHY",
  parent: "OUTSIDE_HIERARCHY",
  stranger: "OUTSIDE_HIERARCHY",
  unknown: "NOT_FOUND",
  malformed: "INVALID_FORMAT"
}

/** The answer to moving the partner of one place below the partner of another. */
const expected = (target: typeof inhabited[number], parent: Place): string => {
  if (target in outside) return "403 OUTSIDE_HIERARCHY"
  if (target === "own") {
    return parent === "parent" ? "200" : parent === "malformed" ? "422 INVALID_FORMAT" : "403 PERMISSION_DENIED"
  }
  if (parent in refusedParents) return `422 ${refusedParents[parent as keyof typeof refusedParents]}`
  const below = { child: ["child", "grandchild"], grandchild: ["grandchild"] }[target as "child" | "grandchild"]
  return below.includes(parent) ? "422 CYCLE" : "200"
}

const outcome = (reply: Reply): string =>
  reply.status === 422
    ? `422 ${problemsOf(reply).map((problem) => problem.replace("partner.parent_uuid ", "")).join()}`
    : reply.status === 200
    ? "200"
    : `${reply.status} ${String(codeOf(reply))}`

/** The parent of each partner. */
const shape = Effect.flatMap(
  MemoryDatabase,
  ({ state }) =>
    Effect.map(
      state,
      ({ partners }) => Object.fromEntries([...partners].map(([id, { partner }]) => [id, partner.parent_id]))
    )
)

describe("moves", () => {
  it.effect("T12 no move extends what a caller can reach: every target below every parent", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const target of inhabited) {
        for (const parent of places) {
          const { caller: { token }, partners } = yield* givenPlaces
          const ids = partnerIds(partners)
          const before = yield* shape
          const reply = yield* server.send(`/api/v1/partners/${ids[target]}`, {
            method: "PATCH",
            token,
            json: { partner: { parent_uuid: ids[parent] } }
          })
          assert.strictEqual(outcome(reply), expected(target, parent), `${target} below ${parent}`)
          const after = yield* shape
          if (reply.status === 200) assert.strictEqual(after[ids[target]], ids[parent])
          else assert.deepStrictEqual(after, before, `${target} below ${parent} changes nothing`)
        }
      }
    })))

  it.effect("T12 a caller cannot create a root: a parent cannot be removed", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { caller: { token }, partners } = yield* givenPlaces
      for (const target of ["own", "child"] as const) {
        const reply = yield* server.send(`/api/v1/partners/${partners[target].partner_id}`, {
          method: "PATCH",
          token,
          json: { partner: { parent_uuid: null } }
        })
        assert.deepStrictEqual(problemsOf(reply), ["partner.parent_uuid NOT_NULLABLE"])
      }
    })))

  it.effect("a move includes the whole subtree and changes the parent in the record", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { caller: { token }, partners: { child, grandchild, own } } = yield* givenPlaces
      const move = (partner: PartnerDetail, parent: PartnerDetail) =>
        server.send(`/api/v1/partners/${partner.partner_id}`, {
          method: "PATCH",
          token,
          json: { partner: { parent_uuid: parent.partner_id.toUpperCase() } }
        })
      const moved = yield* move(grandchild, own)
      assert.strictEqual(at(moved, "data", "parent_id"), own.partner_id)
      assert.strictEqual((yield* move(child, grandchild)).status, 200)
      assert.strictEqual(outcome(yield* move(grandchild, child)), "422 CYCLE")
    })))
})
