import { type Application } from "@lastro/domain/loan"
import { type ApplicationRepository, proposalListItem, ProposalRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { recordContractStatus } from "../../builders/applicationStages.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { later, removePartner } from "../hierarchy/storedPartner.ts"
import { moveIfAcyclic } from "../hierarchy/storedTree.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { proposalIdOf, requireContracted, storePaid } from "./storedApplication.ts"

type Ports = ApplicationRepository | PartnerRepository | PartnerTree | ProposalRepository | UnitOfWork

const find = (caller: PartnerDetail, id: ProposalId) =>
  Effect.gen(function*() {
    return recordOrRefusal(yield* (yield* ProposalRepository).find(scopeOfPartner(caller), id))
  })

const listIds = (caller: PartnerDetail) =>
  Effect.gen(function*() {
    const { items, total } = yield* (yield* ProposalRepository).list(scopeOfPartner(caller), listQuery({}))
    assert.strictEqual(items.length, total)
    return items.map(({ proposal_id }) => proposal_id)
  })

/** The find method of ProposalRepository, for the contract cases. */
export const proposalFinds: FindSubject<Application, Ports> = {
  methods: {
    find: (scope, id) => Effect.flatMap(ProposalRepository, (proposals) => proposals.find(scope, id as ProposalId))
  },
  store: (partner) =>
    Effect.map(storeContractedApplication(partner), (record) => ({ id: proposalIdOf(record), record })),
  threats: ["T01"]
}

/** Contract cases for ProposalRepository, except those for filters, sorts and pages. */
export const proposalRepositoryCases: ContractCases<Ports> = (it) => {
  it("`find` returns the current state of the proposal's application", function*() {
    const root = yield* storeRootPartner()
    const contract = yield* storeContractedApplication(root)
    const { proposal_id } = requireContracted(contract).proposal
    assert.deepStrictEqual(yield* find(root, proposal_id), contract)
    const after = yield* saveApplication(contract, recordContractStatus(contract, "DISBURSEMENT_FAILED"))
    assert.deepStrictEqual(yield* find(root, proposal_id), after)
  })

  it("`find` returns nothing for the id of an application", function*() {
    const root = yield* storeRootPartner()
    const { application_id } = yield* storeContractedApplication(root)
    assert.strictEqual(yield* find(root, application_id as string as ProposalId), "NotFound")
  })

  it("`list` returns each proposal as `proposalListItem`, and no application without a proposal", function*() {
    const root = yield* storeRootPartner()
    yield* storeApplication(root)
    const contract = requireContracted(yield* storeContractedApplication(root))
    const slice = yield* (yield* ProposalRepository).list(scopeOfPartner(root), listQuery({}))
    assert.deepStrictEqual(slice, { items: [proposalListItem(contract)], total: 1 })
    assert.notInclude(JSON.stringify(slice), contract.customer.cpf)
  })

  it("T09 a proposal moves with its partner from the scope of the old ancestors to the scope of the new ones", function*() {
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const id = proposalIdOf(yield* storeContractedApplication(moved))
    yield* moveIfAcyclic(root, moved, right)
    assert.strictEqual(yield* find(left, id), "OutsideHierarchy")
    assert.deepStrictEqual(yield* listIds(left), [])
    for (const caller of [root, right, moved]) assert.deepStrictEqual(yield* listIds(caller), [id])
  })

  it("T14 proposals of a removed partner stay in the scope of its ancestors", function*() {
    const [root, middle, child, sibling] = yield* storeForest([null, 0, 1, 0])
    const contract = yield* storePaid(child)
    yield* removePartner(child)
    yield* removePartner(middle)
    assert.deepStrictEqual<unknown>(yield* find(root, proposalIdOf(contract)), {
      ...contract,
      partner_deleted_at: later
    })
    assert.deepStrictEqual(yield* listIds(root), [proposalIdOf(contract)])
    assert.deepStrictEqual(yield* listIds(sibling), [])
  })

  it("an acceptance that rolls back leaves no proposal", function*() {
    const root = yield* storeRootPartner()
    yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
      const id = proposalIdOf(yield* storeContractedApplication(root))
      assert.deepStrictEqual(yield* listIds(root), [id])
      return yield* Effect.die("rollback")
    })))
    assert.deepStrictEqual(yield* listIds(root), [])
  })

  it("`list` reads items and total from one snapshot while other transactions accept offers", function*() {
    const proposals = yield* ProposalRepository
    const unit = yield* UnitOfWork
    const root = yield* storeRootPartner()
    const listAll = proposals.list(scopeOfPartner(root), listQuery({}))
    const writers = Array.from({ length: 6 }, () => unit.atomically(storeContractedApplication(root)))
    const [slices] = yield* Effect.all([
      Effect.replicateEffect(listAll, 12),
      Effect.all(writers, { concurrency: 3, discard: true })
    ], { concurrency: "unbounded" })
    for (const { items, total } of slices) assert.strictEqual(items.length, total)
    assert.strictEqual((yield* listAll).total, 6)
  })
}
