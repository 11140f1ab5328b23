import {
  type Application,
  ApplicationRepository,
  millisOf,
  nextLook,
  type PartnerRepository,
  type Timestamp,
  timestampOf,
  UnitOfWork
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { history } from "../../arbitraries/histories.ts"
import { moved } from "../../given/applicationStages.ts"
import { givenContract, givenRoot, saving } from "../../given/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"
import { givenHistory, proposalIdOf, requireContracted } from "./storedApplication.ts"

const everything = 100_000

const lookOf = (application: Application): Timestamp => {
  const { proposal } = requireContracted(application)
  const look = nextLook(proposal, proposal.updated_at)
  if (look === null) throw new Error("a contract that is not looked at")
  return look
}

const add = (at: Timestamp, ms: number): Timestamp => timestampOf(millisOf(at) + ms)

/** Whether an application's contract is to be looked at by then. */
const isDue = (application: Application, at: Timestamp) =>
  Effect.gen(function*() {
    const due = yield* (yield* ApplicationRepository).dueContracts(at, everything)
    return due.includes(proposalIdOf(application))
  })

/** Adds a contract that waits for the customer's signature. */
const givenUnsigned = Effect.gen(function*() {
  const accepted = yield* givenContract(yield* givenRoot())
  return yield* saving(accepted, moved(accepted, "AWAITING_SIGNATURE"))
})

/** The contract of ApplicationRepository about when contracts are looked at. */
export const contractPollCases: ContractCases<ApplicationRepository | PartnerRepository | UnitOfWork> = (
  it,
  { runs }
) => {
  it(
    "LENDER-03 dueContracts gives a contract from its next look on, and none that is not looked at",
    () =>
      forAll(
        history(16),
        runs,
        Effect.fnUntraced(function*(history) {
          const application = yield* givenHistory(yield* givenRoot(), history)
          const { proposal } = application
          if (proposal === null) return
          const look = nextLook(proposal, proposal.updated_at)
          if (look === null) assert.isFalse(yield* isDue(application, add(proposal.updated_at, 10 * 365 * 86_400_000)))
          else {
            assert.isTrue(yield* isDue(application, look))
            assert.isFalse(yield* isDue(application, add(look, -1)))
          }
        })
      ),
    propertyTimeout
  )

  it("LENDER-03 dueContracts gives a contract of which paying failed, until it is over", () =>
    Effect.gen(function*() {
      const unsigned = yield* givenUnsigned
      const failed = yield* saving(unsigned, moved(unsigned, "DISBURSEMENT_FAILED"))
      assert.isTrue(yield* isDue(failed, lookOf(failed)))
      const over = yield* saving(failed, moved(failed, "CANCELLED"))
      assert.isFalse(yield* isDue(over, add(lookOf(failed), 10 * 365 * 86_400_000)))
    }))

  it("dueContracts gives the longest due first, and no more than asked for", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contracts = yield* Effect.replicateEffect(givenUnsigned, 4)
      // Before anything that other cases have left to be looked at.
      const long = Date.UTC(2001, 0)
      for (const [index, place] of [2, 0, 3, 1].entries()) {
        const proposal_id = proposalIdOf(contracts[place] as Application)
        yield* applications.postponeLook(proposal_id, timestampOf(long + index))
      }
      const ids = [2, 0, 3, 1].map((place) => proposalIdOf(contracts[place] as Application))
      const at = timestampOf(long + 2)
      assert.deepStrictEqual(yield* applications.dueContracts(at, 100), ids.slice(0, 3))
      assert.deepStrictEqual(yield* applications.dueContracts(at, 2), ids.slice(0, 2))
      for (const one of contracts) yield* saving(one, moved(one, "CANCELLED"))
    }))

  it("postponeLook puts the next look off, and the next change of the proposal sets it anew", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contract = yield* givenUnsigned
      const until = add(lookOf(contract), 3_600_000)
      yield* applications.postponeLook(proposalIdOf(contract), until)
      assert.isFalse(yield* isDue(contract, add(until, -1)))
      assert.isTrue(yield* isDue(contract, until))
      const unchanged = yield* saving(contract, { ...contract, version: contract.version + 1 })
      assert.isFalse(yield* isDue(unchanged, add(until, -1)))
      const signed = yield* saving(unchanged, moved(unchanged, "GUARANTEE_PENDING"))
      assert.isTrue(yield* isDue(signed, lookOf(signed)))
      assert.isFalse(yield* isDue(signed, add(lookOf(signed), -1)))
    }))

  it("postponeLook has no contract looked at that is not: a look that began before the contract ended", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contract = yield* givenUnsigned
      const ended = yield* saving(contract, moved(contract, "CANCELLED"))
      const until = add(lookOf(contract), 1_000)
      yield* applications.postponeLook(proposalIdOf(contract), until)
      assert.isFalse(yield* isDue(ended, add(until, 365 * 86_400_000)))
    }))

  it("a look that is put off in a transaction that is undone was not put off", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const contract = yield* givenUnsigned
      const proposal_id = proposalIdOf(contract)
      yield* Effect.exit((yield* UnitOfWork).atomically(
        Effect.andThen(
          applications.postponeLook(proposal_id, add(lookOf(contract), 3_600_000)),
          Effect.die("undone")
        )
      ))
      assert.isTrue(yield* isDue(contract, lookOf(contract)))
      yield* saving(contract, moved(contract, "CANCELLED"))
    }))
}
