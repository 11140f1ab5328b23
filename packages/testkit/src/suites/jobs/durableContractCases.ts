import { correctionTimeMs, evolve, type LoanEvent, referenceOf, rejectionOf } from "@lastro/domain/loan"
import { currentTimestamp, millisOf, type Pix, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { aCompleteKyc } from "../../builders/aCompleteKyc.ts"
import { submitExampleKyc } from "../../builders/applicationStages.ts"
import { saveApplication, storeContractedApplication, storeRootPartner } from "../../builders/storedRecords.ts"
import { ScriptedLender } from "../../lender/ScriptedLender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { proposalIdOf, requireContracted } from "../suite/storedRecords.ts"
import { atomically } from "../suite/transactions.ts"
import {
  awaitState,
  type DurableWorkPorts,
  listContractCalls,
  offerAnswer,
  runOtherJob,
  setQuoteAnswers,
  startContract
} from "./observedWork.ts"

/** Contract cases for DurableWork: contracts. Requires the scripted lender. */
export const durableContractCases: ContractCases<DurableWorkPorts> = (it) => {
  it("T47 `startContract` retries the submission until the lender answers, and creates one contract", function*() {
    const lender = yield* ScriptedLender
    const partner = yield* storeRootPartner()
    yield* lender.setActions("undone", "lost", "done")
    // One transaction, because a node starts the missing job of a stored contract (JOB-02).
    const contract = yield* atomically(Effect.tap(storeContractedApplication(partner), startContract))
    const proposal_id = proposalIdOf(contract)
    yield* awaitState(contract, ({ proposal }) => proposal !== null && referenceOf(proposal) !== null)
    assert.deepStrictEqual(yield* listContractCalls(contract), ["submit", "submit", "submit"])
    const created = (yield* lender.contracts).filter((stored) => stored.application_id === contract.application_id)
    assert.deepStrictEqual(created.map((stored) => stored.proposal_id), [proposal_id])
    yield* atomically(startContract(contract))
    yield* setQuoteAnswers(offerAnswer)
    yield* runOtherJob
    assert.strictEqual((yield* listContractCalls(contract)).length, 3)
  })

  it("the job of a contract polls the lender until the status of the contract is final", function*() {
    const lender = yield* ScriptedLender
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    const proposal_id = proposalIdOf(contract)
    yield* lender.setActions("done")
    yield* atomically(startContract(contract))
    for (const status of ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"] as const) {
      if (status !== "AWAITING_SIGNATURE") yield* lender.moveContract(proposal_id, status)
      yield* awaitState(contract, ({ proposal }) => proposal?.status === status)
    }
    assert.deepStrictEqual(yield* listContractCalls(contract), ["submit"])
  })

  it("FGTS-54 PROP-15 the job of a contract ends a proposal that nobody continued in time, without a call to the lender", function*() {
    const partner = yield* storeRootPartner()
    const now = millisOf(yield* currentTimestamp)
    // The time to continue the proposal ends 300 ms from now.
    const refused_at = timestampOf(now - correctionTimeMs + 300)
    const ends: Readonly<Record<string, LoanEvent>> = {
      CORRECTION_EXPIRED: { _tag: "SubmissionRefused", at: refused_at, fields: ["phone"] },
      CONTRACT_CONFLICT: { _tag: "ReferenceConflicted", at: refused_at, reference: "contract of another" }
    }
    for (const [code, event] of Object.entries(ends)) {
      const accepted = yield* storeContractedApplication(partner, { at: timestampOf(now - correctionTimeMs - 1_000) })
      const started: LoanEvent = { _tag: "ContractSubmitted", at: accepted.updated_at }
      const halted = yield* saveApplication(accepted, [started, event].reduce(evolve, accepted))
      yield* atomically(startContract(halted))
      const ended = yield* awaitState(halted, ({ proposal }) => proposal?.status === "CANCELLED")
      const { proposal } = requireContracted(ended)
      assert.strictEqual(rejectionOf(proposal)?.code, code)
      assert.strictEqual(proposal.status_history.at(-1)?.reason, code)
      assert.isAtLeast(millisOf(proposal.updated_at), now + 300)
      assert.deepStrictEqual(yield* listContractCalls(halted), [])
    }
  })

  it("a second `startContract` ends the wait of the job, however long it is", function*() {
    const lender = yield* ScriptedLender
    const contract = yield* storeContractedApplication(yield* storeRootPartner())
    const proposal_id = proposalIdOf(contract)
    yield* lender.setActions("done")
    yield* lender.setContractStatus("PAID")
    yield* atomically(startContract(contract))
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "PAID")
    // A paid contract is rarely polled, so only the new start lets its job run soon.
    yield* lender.moveContract(proposal_id, "CANCELLED")
    yield* atomically(startContract(contract))
    yield* awaitState(contract, ({ proposal }) => proposal?.status === "REFUNDED")
  })

  it("a second `startContract`, after a new payment was requested, makes the job request the payment", function*() {
    const lender = yield* ScriptedLender
    const partner = yield* storeRootPartner()
    const contract = yield* storeContractedApplication(partner)
    const proposal_id = proposalIdOf(contract)
    yield* lender.setActions("done")
    yield* lender.setContractStatus("DISBURSEMENT_FAILED")
    yield* atomically(startContract(contract))
    const failed = yield* awaitState(contract, ({ proposal }) => proposal?.status === "DISBURSEMENT_FAILED")
    yield* lender.setContractStatus("PAID")
    const pix = { type: "EMAIL", key: "ana@example.com" } as Pix
    const mended = submitExampleKyc(failed, { kyc: aCompleteKyc({ pix }).for(failed.customer).build() })
    yield* atomically(Effect.andThen(saveApplication(failed, mended), startContract(contract)))
    const paid = yield* awaitState(contract, ({ proposal }) => proposal?.status === "PAID")
    assert.strictEqual(paid.proposal?.disbursement_attempt, 2)
    assert.deepStrictEqual(yield* listContractCalls(contract), ["submit", "resubmit"])
    const stored = (yield* lender.contracts).find((stored) => stored.proposal_id === proposal_id)
    assert.deepStrictEqual(stored?.payments.map((payment) => payment.pix), [
      requireContracted(failed).proposal.disbursement.pix,
      pix
    ])
  })
}
