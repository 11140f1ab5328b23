import {
  type Application,
  type ApplicationId,
  ApplicationRepository,
  type PartnerDetail,
  type PartnerRepository,
  type PartnerTree,
  type UnitOfWork
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { givenApplication, givenContract, givenForest } from "../../given/storedRecords.ts"
import { moveIfAcyclic, storeScopeExamples } from "../hierarchy/storedTree.ts"
import { removePartner } from "../partner/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { readApplication } from "./storedApplication.ts"

/** The contract of ApplicationRepository for scopes. */
export const applicationScopeCases: ContractCases<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
> = (it) => {
  it("HIER-01 HIER-02 T01 `find` and `findForUpdate` treat an application as in scope exactly if its partner is", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const { partners, scopes } = yield* storeScopeExamples
      const byPartner = new Map<PartnerDetail, Application>()
      for (const partner of partners) byPartner.set(partner, yield* givenApplication(partner))
      for (const { caller, inside, outside } of scopes) {
        for (const find of [applications.find, applications.findForUpdate]) {
          const seen = (partner: PartnerDetail) =>
            Effect.map(
              find(scopeOfPartner(caller), byPartner.get(partner)?.application_id ?? ("" as ApplicationId)),
              recordOrRefusal
            )
          for (const partner of inside) assert.deepStrictEqual(yield* seen(partner), byPartner.get(partner))
          for (const partner of outside) assert.strictEqual(yield* seen(partner), "OutsideHierarchy")
        }
      }
    }))

  it("T09 an application moves with its partner from the scope of the old ancestors to the scope of the new ones", () =>
    Effect.gen(function*() {
      const [root, left, right, moved] = yield* givenForest([null, 0, 0, 1])
      const application = yield* givenApplication(moved)
      yield* moveIfAcyclic(root, moved, right)
      assert.strictEqual(yield* readApplication(left, application), "OutsideHierarchy")
      assert.deepStrictEqual(yield* readApplication(right, application), application)
    }))

  it("T14 applications of a removed partner stay in the scope of its ancestors", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const [root, child, sibling] = yield* givenForest([null, 0, 0])
      const application = yield* givenContract(child)
      yield* removePartner(child)
      assert.deepStrictEqual(yield* readApplication(root, application), application)
      assert.strictEqual(yield* readApplication(sibling, application), "OutsideHierarchy")
      assert.deepStrictEqual(
        yield* applications.findByExternalId(scopeOfPartner(root), application.external_id, 100),
        [application]
      )
    }))
}
