import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Exit, Option } from "effect"
import { recordContractStatus } from "../../builders/applicationStages.ts"
import { freshId } from "../../builders/Fresh.ts"
import { saveApplication, storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { proposalIdOf, readApplication } from "./storedApplication.ts"

const storeAccepted = Effect.gen(function*() {
  const partner = yield* storeRootPartner()
  return { partner, application: yield* storeContractedApplication(partner) }
})

const aReference = Effect.map(freshId, (id) => `reference-${id}`)

const confirm = (application: Application, reference: string) =>
  saveApplication(application, recordContractStatus(application, "AWAITING_SIGNATURE", { reference }))

const holderOf = (reference: string): Effect.Effect<ProposalId | null, never, ApplicationRepository> =>
  Effect.gen(function*() {
    return Option.getOrNull(yield* (yield* ApplicationRepository).holderOfReference(reference))
  })

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
    const one = yield* storeAccepted
    const other = yield* storeAccepted
    const confirmed = yield* confirm(one.application, reference)
    assert.isTrue(Exit.hasDies(yield* Effect.exit(confirm(other.application, reference))))
    assert.deepStrictEqual(yield* readApplication(one.partner, one.application), confirmed)
    assert.deepStrictEqual(yield* readApplication(other.partner, other.application), other.application)
    yield* saveApplication(confirmed, recordContractStatus(confirmed, "PAID"))
    assert.strictEqual(yield* holderOf(reference), proposalIdOf(one.application))
  })

  it("FGTS-27 `holderOfReference` locks the reference until the transaction ends: only one proposal takes it", function*() {
    const reference = yield* aReference
    const unit = yield* UnitOfWork
    const accepted = yield* Effect.replicateEffect(storeAccepted, 5)
    const take = (application: Application) =>
      unit.atomically(Effect.gen(function*() {
        if ((yield* holderOf(reference)) !== null) return false
        yield* Effect.yieldNow
        yield* confirm(application, reference)
        return true
      }))
    const taken = yield* Effect.all(accepted.map(({ application }) => take(application)), {
      concurrency: "unbounded"
    })
    assert.strictEqual(taken.filter(Boolean).length, 1)
    assert.strictEqual(
      yield* holderOf(reference),
      proposalIdOf(accepted[taken.indexOf(true)]?.application as Application)
    )
  })
}
