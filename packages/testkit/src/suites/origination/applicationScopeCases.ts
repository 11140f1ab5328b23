import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type ApplicationId, type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { answerWithOffers } from "../../builders/applicationStages.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest
} from "../../builders/storedRecords.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { later, removePartner } from "../hierarchy/storedPartner.ts"
import { moveIfAcyclic } from "../hierarchy/storedTree.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import { findApplicationForUpdate, readApplication } from "./storedApplication.ts"

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
  it("T09 an application moves with its partner from the scope of the old ancestors to the scope of the new ones", function*() {
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const application = yield* storeApplication(moved)
    yield* moveIfAcyclic(root, moved, right)
    assert.strictEqual(yield* readApplication(left, application), "OutsideHierarchy")
    assert.deepStrictEqual(yield* readApplication(right, application), application)
  })

  it("T14 FGTS-48 applications of a removed partner stay in the scope of its ancestors, with `partner_deleted_at`", function*() {
    const applications = yield* ApplicationRepository
    const [root, child, sibling] = yield* storeForest([null, 0, 0])
    const application = yield* storeContractedApplication(child)
    yield* removePartner(child)
    const removed = { ...application, partner_deleted_at: later }
    assert.deepStrictEqual(yield* readApplication(root, application), removed)
    assert.deepStrictEqual((yield* findApplicationForUpdate(root, application)).record, removed)
    assert.strictEqual(yield* readApplication(sibling, application), "OutsideHierarchy")
    assert.deepStrictEqual(
      yield* applications.findByExternalId(scopeOfPartner(root), application.external_id, 100),
      [removed]
    )
    const { proposal, quotes: [{ quote_id }] } = application
    assert.deepStrictEqual(yield* applications.ofQuote(quote_id), Option.some(removed))
    assert.deepStrictEqual(
      yield* applications.ofProposal(proposal?.proposal_id as ProposalId),
      Option.some(removed)
    )
  })

  it("FGTS-48 `save` of an application of a removed partner changes nothing of the partner", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const application = yield* storeApplication(child)
    yield* removePartner(child)
    const removed = { ...application, partner_deleted_at: later }
    const offered = yield* saveApplication(removed, yield* answerWithOffers(removed))
    assert.deepStrictEqual(yield* readApplication(root, application), offered)
  })
}
