import { asOperator } from "@lastro/domain/hierarchy"
import { type Application, type FrozenCommission, isUnfinished } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { addMillis, type ApplicationId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { history } from "../../arbitraries/histories.ts"
import { forestShape } from "../../arbitraries/partners.ts"
import { acceptQuotedOffer, answerWithOffers, submitExampleKyc } from "../../builders/applicationStages.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { type FindSubject } from "../hierarchy/findCases.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import {
  findApplicationForUpdate,
  later,
  moveIfAcyclic,
  proposalIdOf,
  readApplication,
  removePartner,
  requireContracted,
  storeHistory
} from "../suite/storedRecords.ts"

/** The find methods of ApplicationRepository, for the contract cases. */
export const applicationFinds: FindSubject<Application, ApplicationRepository | PartnerRepository> = {
  methods: {
    find: (scope, id) => ApplicationRepository.use((all) => all.find(scope, id as ApplicationId)),
    findForUpdate: (scope, id) => ApplicationRepository.use((all) => all.findForUpdate(scope, id as ApplicationId))
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
    const { quotes: [{ quote_id }] } = application
    assert.deepStrictEqual(yield* applications.ofQuote(quote_id), Option.some(removed))
    assert.deepStrictEqual(yield* applications.ofProposal(proposalIdOf(application)), Option.some(removed))
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

const secondsAfterStart = (seconds: number) => addMillis(exampleInstant, seconds * 1_000)

const newestFirst = (a: Application, b: Application): number => a.created_at < b.created_at ? 1 : -1

/**
 * Contract cases for `ApplicationRepository.findByExternalId`, and for the applications that
 * `PartnerRepository.dependents` counts.
 */
export const applicationSearchCases: ContractCases<ApplicationRepository | PartnerRepository> = (it) => {
  it.forAll(
    "T48 `findByExternalId` returns the applications in scope with exactly this external id, newest first",
    fc.record({
      shape: forestShape(6),
      rows: fc.array(fc.record({ partner: fc.nat(), id: fc.constantFrom("x", "X", "x ", "é", "%", "_") }), {
        maxLength: 10
      })
    }),
    function*({ rows, shape }) {
      const applications = yield* ApplicationRepository
      const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
      const parents = forestOf(partners)
      const at = (place: number) => partners[place % partners.length] as PartnerDetail
      const prefix = yield* freshId
      const all: Array<Application> = []
      for (const [index, { id, partner }] of rows.entries()) {
        // The order of the creation times differs from the order of the ids.
        const fields = { external_id: `${prefix}${id}`, at: secondsAfterStart((index * 7) % 11) }
        all.push(yield* storeApplication(at(partner), fields))
      }
      for (const external_id of new Set([`${prefix}none`, ...all.map((item) => item.external_id)])) {
        for (const caller of partners) {
          const found = yield* applications.findByExternalId(scopeOfPartner(caller), external_id, 100)
          const expected = all.filter((item) =>
            item.external_id === external_id && isWithin(parents, caller.partner_id, item.partner_id)
          )
          assert.deepStrictEqual(found, expected.toSorted(newestFirst))
        }
      }
    }
  )

  it("T48 `findByExternalId` returns the newest applications up to its limit", function*() {
    const applications = yield* ApplicationRepository
    const partner = yield* storeRootPartner()
    const external_id = yield* freshId
    const storeAt = (seconds: number) => storeApplication(partner, { external_id, at: secondsAfterStart(seconds) })
    const oldest = yield* storeAt(0)
    const newest = yield* storeAt(2)
    const middle = yield* storeAt(1)
    const search = (limit: number) => applications.findByExternalId(scopeOfPartner(partner), external_id, limit)
    assert.deepStrictEqual(yield* search(2), [newest, middle])
    assert.deepStrictEqual(yield* search(100), [newest, middle, oldest])
  })

  it("COMM-09 `save` keeps the frozen commission, and `PartnerRepository.dependents` counts the contract", function*() {
    const [root, child, other] = yield* storeForest([null, 0, 0])
    const chain = [{ partner_id: root.partner_id, share: 1 }, { partner_id: child.partner_id, share: 2 }] as const
    const commission: FrozenCommission = { basis: "NET", lender: "sandbox", table: "ouro", chain }
    const opened = yield* storeApplication(child)
    const offered = yield* saveApplication(opened, yield* answerWithOffers(opened))
    const submitted = yield* saveApplication(offered, submitExampleKyc(offered))
    const accepted = requireContracted(yield* acceptQuotedOffer(submitted))
    const after = { ...accepted, proposal: { ...accepted.proposal, commission } }
    yield* saveApplication(submitted, after)
    assert.deepStrictEqual<unknown>(yield* readApplication(child, accepted), after)
    const { dependents } = yield* PartnerRepository
    const countOpen = (partner: PartnerDetail) =>
      Effect.map(dependents(asOperator.inScope(partner)), ({ open_commissions }) => open_commissions)
    assert.deepStrictEqual([yield* countOpen(root), yield* countOpen(child), yield* countOpen(other)], [1, 1, 0])
  })

  it.forAll(
    "T14 `PartnerRepository.dependents` counts the partner's own applications with a pending quote or an unfinished contract",
    fc.array(history(8), { maxLength: 4 }),
    function*(histories) {
      const [root, child] = yield* storeForest([null, 0])
      const all = yield* Effect.forEach(histories, (history) => storeHistory(child, history))
      const { dependents } = yield* PartnerRepository
      const unfinished = all.filter(isUnfinished)
      assert.strictEqual((yield* dependents(asOperator.inScope(child))).applications, unfinished.length)
      assert.strictEqual((yield* dependents(asOperator.inScope(root))).applications, 0)
    }
  )
}
