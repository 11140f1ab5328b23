import { asOperator } from "@lastro/domain/hierarchy"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Exit, Option } from "effect"
import { aCustomer } from "../../builders/aCustomer.ts"
import {
  acceptQuotedOffer,
  answerWithOffers,
  recordContractStatus,
  submitExampleKyc
} from "../../builders/applicationStages.ts"
import { freshId } from "../../builders/Fresh.ts"
import {
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner
} from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { moveIfAcyclic, proposalIdOf, readApplication, removePartner, storeAcceptedAt } from "../suite/storedRecords.ts"
import { atomically, inParallel } from "../suite/transactions.ts"

/** Stores an accepted application of a new root partner. */
const storeAccepted = Effect.gen(function*() {
  const partner = yield* storeRootPartner()
  return { partner, application: yield* storeContractedApplication(partner) }
})

const aReference = Effect.map(freshId, (id) => `reference-${id}`)

/** Stores the reference with which the lender confirmed the contract of an application. */
const confirm = (application: Application, reference: string) =>
  saveApplication(application, recordContractStatus(application, "AWAITING_SIGNATURE", { reference }))

/** Returns the proposal with this reference, or null. The contracts have no lender code, so any lender will do. */
const holderOf = (reference: string): Effect.Effect<ProposalId | null, never, ApplicationRepository> =>
  Effect.map(
    ApplicationRepository.use((applications) => applications.holderOfReference(reference, "sandbox")),
    Option.getOrNull
  )

/** Contract cases for ApplicationRepository: the lender's references of contracts. */
export const contractReferenceCases: ContractCases<ApplicationRepository | PartnerRepository | UnitOfWork> = (it) => {
  it("FGTS-27 `holderOfReference` returns the proposal that has the reference now, and nothing for any other text", function*() {
    const [first, second] = [yield* aReference, yield* aReference]
    const { application } = yield* storeAccepted
    assert.isNull(yield* holderOf(first))
    const confirmed = yield* confirm(application, first)
    assert.strictEqual(yield* holderOf(first), proposalIdOf(application))
    assert.isNull(yield* holderOf(first.toUpperCase()))
    assert.isNull(yield* holderOf(first.slice(0, -1)))
    yield* confirm(confirmed, second)
    assert.isNull(yield* holderOf(first))
    assert.strictEqual(yield* holderOf(second), proposalIdOf(application))
  })

  it("FGTS-27 `save` fails with a defect and changes nothing if another proposal has the reference", function*() {
    const reference = yield* aReference
    const first = yield* storeAccepted
    const second = yield* storeAccepted
    const confirmed = yield* confirm(first.application, reference)
    assert.isTrue(Exit.hasDies(yield* Effect.exit(confirm(second.application, reference))))
    assert.deepStrictEqual(yield* readApplication(first.partner, first.application), confirmed)
    assert.deepStrictEqual(yield* readApplication(second.partner, second.application), second.application)
    yield* saveApplication(confirmed, recordContractStatus(confirmed, "PAID"))
    assert.strictEqual(yield* holderOf(reference), proposalIdOf(first.application))
  })

  it("FGTS-27 a reference is unique within its lender: each of two lenders has a contract with the same one", function*() {
    const reference = yield* aReference
    const applications = yield* ApplicationRepository
    const [blue, green] = [
      yield* storeAcceptedAt(yield* storeRootPartner(), "blue"),
      yield* storeAcceptedAt(yield* storeRootPartner(), "green")
    ]
    yield* confirm(blue, reference)
    yield* confirm(green, reference)
    const holder = (lender: string) => Effect.map(applications.holderOfReference(reference, lender), Option.getOrNull)
    assert.strictEqual(yield* holder("blue"), proposalIdOf(blue))
    assert.strictEqual(yield* holder("green"), proposalIdOf(green))
    assert.isNull(yield* holder("red"))
    const otherBlue = yield* storeAcceptedAt(yield* storeRootPartner(), "blue")
    assert.isTrue(Exit.hasDies(yield* Effect.exit(confirm(otherBlue, reference))))
  })

  it("FGTS-27 `holderOfReference` locks the reference until the transaction ends: only one proposal takes it", function*() {
    const reference = yield* aReference
    const accepted = yield* Effect.replicateEffect(storeAccepted, 5)
    const take = (application: Application) =>
      atomically(Effect.gen(function*() {
        if ((yield* holderOf(reference)) !== null) return false
        yield* Effect.yieldNow
        yield* confirm(application, reference)
        return true
      }))
    const taken = yield* inParallel(accepted.map(({ application }) => take(application)))
    const holders = accepted.filter((_, index) => taken[index])
    assert.deepStrictEqual(holders.map(({ application }) => proposalIdOf(application)), [yield* holderOf(reference)])
  })
}

type Customer = Application["customer"]

const idsOf = (applications: ReadonlyArray<Application>) => applications.map(({ application_id }) => application_id)

const readOthers = (application: Application) =>
  ApplicationRepository.use((applications) => applications.contractedByCustomer(asOperator.inScope(application)))

const byId = (a: Application, b: Application): number => a.application_id < b.application_id ? -1 : 1

/** Stores an application with offers and a complete KYC. */
const storeSubmitted = Effect.fnUntraced(function*(partner: PartnerDetail, customer: Customer) {
  const application = yield* storeApplication(partner, { customer })
  const offered = yield* saveApplication(application, yield* answerWithOffers(application))
  return yield* saveApplication(offered, submitExampleKyc(offered))
})

/** Accepts an offer if the customer has no other contract in the tree. Returns whether it was accepted. */
const acceptIfFirst = (application: Application) =>
  atomically(Effect.gen(function*() {
    const others = yield* readOthers(application)
    if (others.length > 0) return false
    yield* Effect.yieldNow
    yield* saveApplication(application, yield* acceptQuotedOffer(application))
    return true
  }))

/** Contract cases for `ApplicationRepository.contractedByCustomer`. */
export const customerContractCases: ContractCases<
  ApplicationRepository | PartnerRepository | PartnerTree | UnitOfWork
> = (it) => {
  it("FGTS-47 `contractedByCustomer` returns the applications of the CPF with a proposal, anywhere in the same tree and in any status", function*() {
    const [root, left, right, leaf] = yield* storeForest([null, 0, 0, 1])
    const customer = yield* aCustomer()
    const own = yield* storeApplication(left, { customer })
    assert.deepStrictEqual(yield* readOthers(own), [])
    const accepted = yield* Effect.forEach(
      [root, left, right, leaf],
      (partner) => storeContractedApplication(partner, { customer })
    )
    const [first, second, ...rest] = accepted as [Application, Application, ...ReadonlyArray<Application>]
    const paid = yield* saveApplication(first, recordContractStatus(first, "PAID"))
    const ended = yield* saveApplication(second, recordContractStatus(second, "CANCELLED"))
    assert.deepStrictEqual((yield* readOthers(own)).toSorted(byId), [paid, ended, ...rest].toSorted(byId))
  })

  it("FGTS-47 `contractedByCustomer` omits the application itself, other CPFs, other trees and applications without a proposal", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const customer = yield* aCustomer()
    const own = yield* storeContractedApplication(child, { customer })
    yield* storeContractedApplication(root)
    yield* storeSubmitted(root, customer)
    yield* storeContractedApplication(yield* storeRootPartner(), { customer })
    assert.deepStrictEqual(yield* readOthers(own), [])
  })

  it("FGTS-47 `contractedByCustomer` includes the applications of moved and of deleted partners", function*() {
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const customer = yield* aCustomer()
    const contract = yield* storeContractedApplication(moved, { customer })
    yield* saveApplication(contract, recordContractStatus(contract, "PAID"))
    const own = yield* storeApplication(left, { customer })
    yield* moveIfAcyclic(root, moved, right)
    assert.deepStrictEqual(idsOf(yield* readOthers(own)), [contract.application_id])
    yield* removePartner({ ...moved, parent_id: right.partner_id })
    assert.deepStrictEqual(idsOf(yield* readOthers(own)), [contract.application_id])
  })

  it("FGTS-47 `contractedByCustomer` locks the CPF in the tree until the transaction ends: only the first of several acceptances finds no other", function*() {
    const [root, left, right] = yield* storeForest([null, 0, 0])
    const customer = yield* aCustomer()
    const applications = yield* Effect.forEach(
      [root, left, right, left, right],
      (partner) => storeSubmitted(partner, customer)
    )
    const accepted = yield* inParallel(applications.map(acceptIfFirst))
    assert.strictEqual(accepted.filter(Boolean).length, 1)
    for (const [index, application] of applications.entries()) {
      const stored = yield* readApplication(root, application)
      assert.strictEqual(typeof stored === "object" && stored.proposal !== null, accepted[index])
    }
  })
}
