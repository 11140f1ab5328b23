import { type GroupSlug } from "@lastro/domain/access"
import { ApiClientRepository, type ClientQuery } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Stream } from "effect"
import { aClient } from "../../builders/aClient.ts"
import { exampleHash } from "../../builders/aUser.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk, scopeOfPartner } from "../suite/queries.ts"
import { later, removePartner } from "../suite/storedRecords.ts"

const oldestFirst: ClientQuery = {
  filters: {},
  page: { number: 0, size: 100 },
  sort: [{ property: "created_at", direction: "asc" }]
}

/** Contract cases for the lists of ApiClientRepository. */
export const apiClientListCases: ContractCases<ApiClientRepository | PartnerRepository | UnitOfWork> = (it) => {
  it("T02 `list`, a walk and `exportAll` return the clients in scope that match all filters, in order, and their number", function*() {
    const { insert, list, revoke } = yield* ApiClientRepository
    const [root, child, grandchild, sibling] = yield* storeForest([null, 0, 1, 0])
    const store = Effect.fnUntraced(function*(partner: PartnerDetail, name: string, day: number, group: GroupSlug) {
      const created_at = `2026-01-0${day}T00:00:00.000Z` as Timestamp
      const client = yield* aClient({ name, created_at }).of(partner).inGroup(group)
      yield* insert(client, exampleHash)
      return client
    })
    const newest = yield* store(child, "Straße", 3, "admin")
    const oldest = yield* store(grandchild, "ábaco 50%", 1, "viewer")
    const middle = yield* store(child, "strassf", 2, "viewer")
    yield* store(sibling, "ABC", 4, "admin")
    yield* revoke(middle.client_id, later)
    const listNames = (fields: Partial<ClientQuery> = {}, caller = child) =>
      Effect.map(
        list(scopeOfPartner(caller), { ...oldestFirst, ...fields }),
        ({ items, total }) => [items.map(({ name }) => name), total]
      )
    assert.deepStrictEqual(yield* listNames(), [["ábaco 50%", "strassf", "Straße"], 3])
    assert.deepStrictEqual(yield* listNames({}, sibling), [["ABC"], 1])
    assert.deepStrictEqual(yield* listNames({ sort: [{ property: "name", direction: "desc" }] }), [
      ["strassf", "Straße", "ábaco 50%"],
      3
    ])
    assert.deepStrictEqual(
      yield* listNames({ sort: [{ property: "created_at", direction: "desc" }], page: { number: 1, size: 2 } }),
      [["ábaco 50%"], 3]
    )
    assert.deepStrictEqual(yield* listNames({ filters: { status: "REVOKED" } }), [["strassf"], 1])
    assert.deepStrictEqual(yield* listNames({ filters: { status: "ACTIVE", group: "viewer" } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* listNames({ filters: { partner_id: root.partner_id } }), [[], 0])
    assert.deepStrictEqual(yield* listNames({ filters: { partner_id: grandchild.partner_id } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* listNames({ filters: { name: foldText("ABACO") } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* listNames({ filters: { name: foldText("%") } }), [["ábaco 50%"], 1])
    const { exportAll } = yield* ApiClientRepository
    for (const filters of [{}, { name: foldText("stras") }, { status: "ACTIVE" }] as const) {
      for (const sort of [oldestFirst.sort, [{ property: "name", direction: "desc" }]] as const) {
        const { items } = yield* list(scopeOfPartner(child), { ...oldestFirst, filters, sort })
        const exported = yield* Stream.runCollect(exportAll(scopeOfPartner(child), { filters, sort }))
        assert.deepStrictEqual(exported, [...items])
        const walked = yield* readWalk(
          1,
          (after) => list(scopeOfPartner(child), { filters, sort, page: { number: 0, size: 1 }, after })
        )
        assert.deepStrictEqual(walked, [...items])
      }
    }
    const { items } = yield* list(scopeOfPartner(child), oldestFirst)
    assert.deepStrictEqual(items, [oldest, { ...middle, revoked_at: later }, newest])
  })

  it("`list` fails with ReadBudgetExceeded if more clients match than the budget", function*() {
    const { insert, list } = yield* ApiClientRepository
    const root = yield* storeRootPartner()
    for (const _ of [1, 2]) yield* insert(yield* aClient().of(root), exampleHash)
    const listWithin = (budget: number) =>
      list(scopeOfPartner(root), { ...oldestFirst, filters: { status: "ACTIVE" } }, budget)
    assert.strictEqual((yield* Effect.flip(listWithin(1)))._tag, "ReadBudgetExceeded")
    yield* listWithin(2)
  })

  it("`list` never returns the clients of a deleted partner", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* (yield* ApiClientRepository).insert(yield* aClient().of(child), exampleHash)
    yield* removePartner(child)
    const { items, total } = yield* (yield* ApiClientRepository).list(scopeOfPartner(root), oldestFirst)
    assert.deepStrictEqual([items, total], [[], 0])
  })
}
