import { asOperator } from "@lastro/domain/hierarchy"
import { type Routing, RoutingRepository } from "@lastro/domain/lender"
import { type ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { storeContractedApplication, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import { removePartner, storeAcceptedAt } from "../suite/storedRecords.ts"
import { atomically, rollBack } from "../suite/transactions.ts"

/** The ports that the cases of RoutingRepository use. */
export type RoutingPorts = ApplicationRepository | PartnerRepository | RoutingRepository | UnitOfWork

const bothLenders: Routing = { strategy: "FIRST", lenders: ["qi", "parana"], version: 1 }
const oneLender: Routing = { strategy: "ALL", lenders: ["parana"], version: 2 }

const save = (partner: PartnerDetail, routing: Routing) =>
  RoutingRepository.use((routings) => routings.save(asOperator.inScope(partner), routing))

const remove = (partner: PartnerDetail) =>
  RoutingRepository.use((routings) => routings.remove(asOperator.inScope(partner)))

const chainOf = ({ partner_id }: Pick<PartnerDetail, "partner_id">) =>
  RoutingRepository.use((routings) => routings.chainOf(partner_id))

const link = ({ partner_id }: PartnerDetail, routing: Routing | null = null) => ({ partner_id, routing })

const lendersIn = (partner: PartnerDetail, except: ReadonlyArray<string> = [], budget?: number) =>
  Effect.map(
    RoutingRepository.use((routings) => routings.lendersOfContracts(scopeOfPartner(partner), except, budget)),
    (lenders) => lenders.map(({ code, label }) => `${code} ${label}`).toSorted()
  )

/** Returns the lenders of the contracts as text, or the `_tag` of the error. */
const lendersWithin = (partner: PartnerDetail, budget: number, except: ReadonlyArray<string> = []) =>
  Effect.matchEager(lendersIn(partner, except, budget), { onSuccess: String, onFailure: ({ _tag }) => _tag })

/** Contract cases for RoutingRepository. */
export const routingCases: ContractCases<RoutingPorts> = (it) => {
  it("ROUTE-01 `chainOf` returns a partner and its ancestors up to the root, each with its own routing", function*() {
    const [root, child, grandchild] = yield* storeForest([null, 0, 1, 0])
    assert.deepStrictEqual(yield* chainOf(grandchild), [link(grandchild), link(child), link(root)])
    yield* save(root, bothLenders)
    yield* save(grandchild, oneLender)
    assert.deepStrictEqual(yield* chainOf(grandchild), [
      link(grandchild, oneLender),
      link(child),
      link(root, bothLenders)
    ])
    assert.deepStrictEqual(yield* chainOf(root), [link(root, bothLenders)])
  })

  it("`chainOf` of an unknown partner is empty", function*() {
    assert.deepStrictEqual(yield* chainOf({ partner_id: (yield* freshId) as PartnerId }), [])
  })

  it("`chainOf` keeps the place and the routing of a deleted partner", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* save(child, oneLender)
    yield* removePartner(child)
    assert.deepStrictEqual(yield* chainOf(child), [link(child, oneLender), link(root)])
  })

  it("`save` replaces a routing, and `remove` removes it and ignores a partner without one", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* save(root, bothLenders)
    yield* save(root, oneLender)
    yield* save(child, bothLenders)
    assert.deepStrictEqual(yield* chainOf(root), [link(root, oneLender)])
    yield* remove(root)
    yield* remove(root)
    assert.deepStrictEqual(yield* chainOf(child), [link(child, bothLenders), link(root)])
  })

  it("`save` and `remove` join the surrounding transaction", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* rollBack(save(root, bothLenders))
    assert.deepStrictEqual(yield* chainOf(root), [link(root)])
    yield* atomically(save(child, oneLender))
    yield* rollBack(remove(child))
    assert.deepStrictEqual(yield* chainOf(child), [link(child, oneLender), link(root)])
  })

  it("`lendersOfContracts` returns each lender of the contracts in scope once, and ignores contracts without a code", function*() {
    const [root, child, sibling] = yield* storeForest([null, 0, 0])
    assert.deepStrictEqual(yield* lendersIn(root), [])
    yield* storeAcceptedAt(child, "blue")
    yield* storeAcceptedAt(child, "blue")
    yield* storeAcceptedAt(root, "green")
    yield* storeAcceptedAt(yield* storeRootPartner(), "red")
    yield* storeContractedApplication(root)
    assert.deepStrictEqual(yield* lendersIn(root), ["blue blue", "green green"])
    assert.deepStrictEqual(yield* lendersIn(child), ["blue blue"])
    assert.deepStrictEqual(yield* lendersIn(sibling), [])
    assert.deepStrictEqual(yield* lendersIn(root, ["blue", "unknown"]), ["green green"])
    assert.deepStrictEqual(yield* lendersIn(root, ["green", "blue"]), [])
  })

  it("`lendersOfContracts` stays within its budget if that covers the contracts of the scope", function*() {
    const [root, child, sibling] = yield* storeForest([null, 0, 0])
    for (let count = 0; count < 3; count++) yield* storeAcceptedAt(sibling, "blue")
    yield* storeAcceptedAt(child, "blue")
    yield* storeAcceptedAt(child, "green")
    assert.strictEqual(yield* lendersWithin(root, 5), "blue blue,green green")
    assert.strictEqual(yield* lendersWithin(child, 2), "blue blue,green green")
    assert.strictEqual(yield* lendersWithin(sibling, 3), "blue blue")
    assert.strictEqual(yield* lendersWithin(root, 0), "ReadBudgetExceeded")
    assert.strictEqual(yield* lendersWithin(root, 0, ["blue", "green"]), "")
  })
}
