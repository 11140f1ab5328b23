import { type Application } from "@lastro/domain/fgts"
import { ApplicationRepository, nextPollAt } from "@lastro/domain/origination"
import { type PartnerRepository } from "@lastro/domain/partner"
import { millisOf, type Timestamp, timestampOf } from "@lastro/domain/time"
import { UnitOfWork } from "@lastro/domain/transaction"
import { assert } from "chai"
import { Effect } from "effect"
import { history } from "../../arbitraries/histories.ts"
import { recordContractStatus } from "../../builders/applicationStages.ts"
import { saveApplication, storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"
import { proposalIdOf, requireContracted, storeHistory } from "./storedApplication.ts"

const everything = 100_000

const nextPollOf = (application: Application): Timestamp => {
  const { proposal } = requireContracted(application)
  const poll = nextPollAt(proposal, proposal.updated_at)
  if (poll === null) throw new Error("The contract has no next poll.")
  return poll
}

const add = (at: Timestamp, ms: number): Timestamp => timestampOf(millisOf(at) + ms)

/** Returns whether the contract of an application is due for a poll at an instant. */
const isDue = (application: Application, at: Timestamp) =>
  Effect.gen(function*() {
    const due = yield* (yield* ApplicationRepository).dueContracts(at, everything)
    return due.includes(proposalIdOf(application))
  })

/** Stores a contract that awaits the customer's signature. */
const storeUnsigned = Effect.gen(function*() {
  const accepted = yield* storeContractedApplication(yield* storeRootPartner())
  return yield* saveApplication(accepted, recordContractStatus(accepted, "AWAITING_SIGNATURE"))
})

/** Contract cases for ApplicationRepository: polling the lender for contracts. */
export const contractPollCases: ContractCases<ApplicationRepository | PartnerRepository | UnitOfWork> = (
  it,
  { runs }
) => {
  it(
    "LENDER-03 `dueContracts` returns a contract once its next poll is due, and never a contract that is not polled",
    () =>
      forAll(
        history(16),
        runs,
        Effect.fnUntraced(function*(history) {
          const application = yield* storeHistory(yield* storeRootPartner(), history)
          const { proposal } = application
          if (proposal === null) return
          const poll = nextPollAt(proposal, proposal.updated_at)
          if (poll === null) assert.isFalse(yield* isDue(application, add(proposal.updated_at, 10 * 365 * 86_400_000)))
          else {
            assert.isTrue(yield* isDue(application, poll))
            assert.isFalse(yield* isDue(application, add(poll, -1)))
          }
        })
      ),
    propertyTimeout
  )

  it("LENDER-03 `dueContracts` returns a contract with a failed disbursement until the contract ends", () =>
    Effect.gen(function*() {
      const unsigned = yield* storeUnsigned
      const failed = yield* saveApplication(unsigned, recordContractStatus(unsigned, "DISBURSEMENT_FAILED"))
      assert.isTrue(yield* isDue(failed, nextPollOf(failed)))
      const over = yield* saveApplication(failed, recordContractStatus(failed, "CANCELLED"))
      assert.isFalse(yield* isDue(over, add(nextPollOf(failed), 10 * 365 * 86_400_000)))
    }))

  it("`dueContracts` returns the longest overdue contracts first, up to its limit", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contracts = yield* Effect.replicateEffect(storeUnsigned, 4)
      // This instant is before the next poll of every contract from another case, so the contracts of this case are due
      // first.
      const long = Date.UTC(2001, 0)
      for (const [index, place] of [2, 0, 3, 1].entries()) {
        const proposal_id = proposalIdOf(contracts[place] as Application)
        yield* applications.postponePoll(proposal_id, timestampOf(long + index))
      }
      const ids = [2, 0, 3, 1].map((place) => proposalIdOf(contracts[place] as Application))
      const at = timestampOf(long + 2)
      assert.deepStrictEqual(yield* applications.dueContracts(at, 100), ids.slice(0, 3))
      assert.deepStrictEqual(yield* applications.dueContracts(at, 2), ids.slice(0, 2))
      for (const one of contracts) yield* saveApplication(one, recordContractStatus(one, "CANCELLED"))
    }))

  it("`postponePoll` postpones the next poll; the next change of the proposal resets it", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contract = yield* storeUnsigned
      const until = add(nextPollOf(contract), 3_600_000)
      yield* applications.postponePoll(proposalIdOf(contract), until)
      assert.isFalse(yield* isDue(contract, add(until, -1)))
      assert.isTrue(yield* isDue(contract, until))
      const unchanged = yield* saveApplication(contract, { ...contract, version: contract.version + 1 })
      assert.isFalse(yield* isDue(unchanged, add(until, -1)))
      const signed = yield* saveApplication(unchanged, recordContractStatus(unchanged, "GUARANTEE_PENDING"))
      assert.isTrue(yield* isDue(signed, nextPollOf(signed)))
      assert.isFalse(yield* isDue(signed, add(nextPollOf(signed), -1)))
    }))

  it("`postponePoll` has no effect on a contract that has ended", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contract = yield* storeUnsigned
      const ended = yield* saveApplication(contract, recordContractStatus(contract, "CANCELLED"))
      const until = add(nextPollOf(contract), 1_000)
      yield* applications.postponePoll(proposalIdOf(contract), until)
      assert.isFalse(yield* isDue(ended, add(until, 365 * 86_400_000)))
    }))

  it("`postponePoll` rolls back with the surrounding transaction", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contract = yield* storeUnsigned
      const proposal_id = proposalIdOf(contract)
      yield* Effect.exit((yield* UnitOfWork).atomically(
        Effect.andThen(
          applications.postponePoll(proposal_id, add(nextPollOf(contract), 3_600_000)),
          Effect.die("rollback")
        )
      ))
      assert.isTrue(yield* isDue(contract, nextPollOf(contract)))
      yield* saveApplication(contract, recordContractStatus(contract, "CANCELLED"))
    }))
}
