import { type GroupSlug } from "@lastro/domain/access"
import { ApiClientRepository, type ClientQuery } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Result, Stream } from "effect"
import { aClient } from "../../builders/aClient.ts"
import { exampleHash } from "../../builders/aUser.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk, requireInScope, scopeOfPartner } from "../suite/queries.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically } from "../suite/transactions.ts"

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
    const namesOf = (fields: Partial<ClientQuery> = {}, scope = child) =>
      Effect.map(
        list(scopeOfPartner(scope), { ...oldestFirst, ...fields }),
        ({ items, total }) => [items.map(({ name }) => name), total]
      )
    assert.deepStrictEqual(yield* namesOf(), [["ábaco 50%", "strassf", "Straße"], 3])
    assert.deepStrictEqual(yield* namesOf({}, sibling), [["ABC"], 1])
    assert.deepStrictEqual(yield* namesOf({ sort: [{ property: "name", direction: "desc" }] }), [
      ["strassf", "Straße", "ábaco 50%"],
      3
    ])
    assert.deepStrictEqual(
      yield* namesOf({ sort: [{ property: "created_at", direction: "desc" }], page: { number: 1, size: 2 } }),
      [["ábaco 50%"], 3]
    )
    assert.deepStrictEqual(yield* namesOf({ filters: { status: "REVOKED" } }), [["strassf"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { status: "ACTIVE", group: "viewer" } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { partner_id: root.partner_id } }), [[], 0])
    assert.deepStrictEqual(yield* namesOf({ filters: { partner_id: grandchild.partner_id } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { name: foldText("ABACO") } }), [["ábaco 50%"], 1])
    assert.deepStrictEqual(yield* namesOf({ filters: { name: foldText("%") } }), [["ábaco 50%"], 1])
    const { exportAll } = yield* ApiClientRepository
    for (const filters of [{}, { name: foldText("stras") }, { status: "ACTIVE" }] as const) {
      for (const sort of [oldestFirst.sort, [{ property: "name", direction: "desc" }]] as const) {
        const { items } = yield* list(scopeOfPartner(child), { ...oldestFirst, filters, sort })
        assert.deepStrictEqual(yield* Stream.runCollect(exportAll(scopeOfPartner(child), { filters, sort })), [
          ...items
        ])
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
    const within = (budget: number) =>
      Effect.result(list(scopeOfPartner(root), { ...oldestFirst, filters: { status: "ACTIVE" } }, budget))
    const refused = yield* within(1)
    assert.strictEqual(Result.isFailure(refused) && refused.failure._tag, "ReadBudgetExceeded")
    assert.isTrue(Result.isSuccess(yield* within(2)))
  })

  it("`list` never returns the clients of a deleted partner", function*() {
    const { find, remove } = yield* PartnerRepository
    const [root, child] = yield* storeForest([null, 0])
    yield* (yield* ApiClientRepository).insert(yield* aClient().of(child), exampleHash)
    yield* atomically(Effect.gen(function*() {
      yield* remove(yield* Effect.orDie(requireInScope(find(scopeOfPartner(root), child.partner_id))), later)
    }))
    const { items, total } = yield* (yield* ApiClientRepository).list(scopeOfPartner(root), oldestFirst)
    assert.deepStrictEqual([items, total], [[], 0])
  })
}
