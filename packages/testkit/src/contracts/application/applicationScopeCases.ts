import { type Application } from "@lastro/domain/fgts"
import { type PartnerTree } from "@lastro/domain/hierarchy"
import { type ApplicationId } from "@lastro/domain/id"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/transaction"
import { assert } from "chai"
import { Effect } from "effect"
import { storeApplication, storeContractedApplication, storeForest } from "../../builders/storedRecords.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { removePartner } from "../hierarchy/storedPartner.ts"
import { moveIfAcyclic } from "../hierarchy/storedTree.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import { readApplication } from "./storedApplication.ts"

/** The find methods of ApplicationRepository, for the contract cases. */
export const applicationFinds: FindSubject<Application, ApplicationRepository | PartnerRepository> = {
  methods: {
    find: (scope, id) => Effect.flatMap(ApplicationRepository, (all) => all.find(scope, id as ApplicationId)),
    findForUpdate: (scope, id) =>
      Effect.flatMap(ApplicationRepository, (all) => all.findForUpdate(scope, id as ApplicationId))
  },
  store: (partner) => Effect.map(storeApplication(partner), (record) => ({ id: record.application_id, record })),
  threats: ["T01"]
}

/** Contract cases for ApplicationRepository: scopes. */
export const applicationScopeCases: ContractCases<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
> = (it) => {
  it("T09 an application moves with its partner from the scope of the old ancestors to the scope of the new ones", () =>
    Effect.gen(function*() {
      const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
      const application = yield* storeApplication(moved)
      yield* moveIfAcyclic(root, moved, right)
      assert.strictEqual(yield* readApplication(left, application), "OutsideHierarchy")
      assert.deepStrictEqual(yield* readApplication(right, application), application)
    }))

  it("T14 applications of a removed partner stay in the scope of its ancestors", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const [root, child, sibling] = yield* storeForest([null, 0, 0])
      const application = yield* storeContractedApplication(child)
      yield* removePartner(child)
      assert.deepStrictEqual(yield* readApplication(root, application), application)
      assert.strictEqual(yield* readApplication(sibling, application), "OutsideHierarchy")
      assert.deepStrictEqual(
        yield* applications.findByExternalId(scopeOfPartner(root), application.external_id, 100),
        [application]
      )
    }))
}
