import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Application, contractTerms, latestQuote } from "../../src/loan/Application.ts"
import { rejectionFor, updateOf } from "../../src/loan/decideContract.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { type LenderContract, lenderContractStatuses } from "../../src/loan/LenderContract.ts"
import { contractOf, isFinal } from "../../src/loan/Proposal.ts"
import { proposalExpiresAt } from "../../src/loan/proposalExpiry.ts"
import { afterPayment, deniesPayment, stepsBetween } from "../../src/loan/proposalSteps.ts"
import { isReferenceTaken } from "../../src/loan/referenceConflict.ts"
import { rejectionReason } from "../../src/offer/RejectionReason.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  applyCommands,
  cancel,
  completeKyc,
  contractingApplication,
  eventsOf,
  msAfter,
  newApplication,
  noon,
  refund,
  refuseSubmission,
  renewLink,
  returnContractOfAnother,
  storedProposal,
  submitKyc,
  updateContract,
  withdraw
} from "./examples.ts"

const statuses = lenderContractStatuses

const unpaid = applyCommands(contractingApplication(), updateContract("DISBURSEMENT_FAILED"))
const paidAnew = applyCommands(unpaid, submitKyc(completeKyc, msAfter(1)))

const contractIn = ({ proposal }: Application) => proposal === null ? null : contractOf(proposal)

/** Records a contract status and returns the proposal. */
const after = (application: Application, status: LenderContract["status"], fields: Partial<LenderContract> = {}) =>
  storedProposal(applyCommands(application, updateContract(status, msAfter(10), fields)))

describe("isReferenceTaken", () => {
  it("FGTS-27 a contract is refused if and only if its reference is new to the proposal and another proposal has it", () => {
    const ids = fc.constantFrom("a", "b", "c").map((id) => id as ProposalId)
    const references = fc.constantFrom("r", "s")
    fc.assert(
      fc.property(ids, fc.option(references), references, fc.option(ids), (proposal_id, stored, reference, holder) => {
        const { proposal } = contractingApplication()
        assert.isNotNull(proposal)
        const contract = stored === null ? null : { reference: stored, terms: null, required_action: null }
        const one = { ...proposal, proposal_id, status: "SUBMITTING" as const, contract, conflicting_reference: null }
        const isTaken = isReferenceTaken(one, { reference }, holder)
        assert.strictEqual(isTaken, stored !== reference && holder !== null && holder !== proposal_id)
      })
    )
  })
})

describe("decideRecordContract", () => {
  it("FGTS-19 records every status on the path at one instant, with its reason", () => {
    const proposal = after(contractingApplication(), "DISBURSEMENT_FAILED")
    assert.deepStrictEqual(proposal?.status_history.slice(1), [
      { status: "AWAITING_SIGNATURE", at: msAfter(10), reason: null },
      { status: "GUARANTEE_PENDING", at: msAfter(10), reason: null },
      { status: "DISBURSING", at: msAfter(10), reason: null },
      { status: "DISBURSEMENT_FAILED", at: msAfter(10), reason: "DISBURSEMENT_FAILED" }
    ])
    assert.strictEqual(proposal?.rejection?.message, "Conta inválida.")
    assert.strictEqual(proposal?.reference, "contract-1")
    assert.strictEqual(proposal?.updated_at, msAfter(10))
  })

  it("FGTS-26 final terms without an instalment leave the terms of the offer", () => {
    const [offer] = latestQuote(contractingApplication()).offers
    const terms = { ...offer!.terms, net_amount: centavos(1), installments: [] }
    for (const status of ["AWAITING_SIGNATURE", "PAID"] as const) {
      const paid = applyCommands(contractingApplication(), updateContract(status, msAfter(10), { terms }))
      assert.isNull(contractIn(paid)?.terms)
      assert.deepStrictEqual(contractTerms(paid), contractTerms(contractingApplication()))
    }
  })

  it("FGTS-19 keeps a reason for failures only, and clears it when the contract moves on", () => {
    const rejection = storedProposal(unpaid)?.rejection ?? null
    assert.isNotNull(rejection)
    for (const status of statuses) {
      const expected = ["DISBURSEMENT_FAILED", "CANCELLED", "REJECTED", "REFUNDED"].includes(status) ? rejection : null
      assert.deepStrictEqual(after(contractingApplication(), status, { rejection })?.rejection, expected, status)
    }
    assert.isNull(after(unpaid, "DISBURSING", { rejection })?.rejection)
    assert.isNull(after(unpaid, "PAID")?.rejection)
    assert.isNull(storedProposal(paidAnew)?.rejection)
  })

  it("FGTS-23 a cancelled, rejected, reversed or unpaid contract has a reason: the lender's, or one by outcome", () => {
    const own = rejectionReason("FRAUD_SUSPECTED", "Suspeita.")
    const codes = {
      DISBURSEMENT_FAILED: ["PAYMENT_FAILED", "DISBURSEMENT_FAILED"],
      CANCELLED: ["CONTRACT_CANCELLED", "CUSTOMER_CANCELLED"],
      REJECTED: ["CONTRACT_REFUSED", "LENDER_POLICY"],
      REFUNDED: ["PAYMENT_REVERSED", "LENDER_POLICY"]
    } as const
    for (const [status, [outcome, code]] of Object.entries(codes)) {
      assert.strictEqual(rejectionFor(outcome, { rejection: own }, noon), own)
      assert.strictEqual(rejectionFor(outcome, { rejection: null }, noon).code, code)
      const empty = rejectionFor(outcome, { rejection: rejectionReason("NO_BALANCE", "Sem saldo.") }, noon)
      assert.strictEqual(empty.retry_at, "2026-02-21T03:00:00.000Z" as Timestamp)
      const proposal = after(contractingApplication(), status as keyof typeof codes, { rejection: null })
      assert.strictEqual(proposal?.status_history.at(-1)?.reason, code)
      assert.strictEqual(proposal?.rejection?.code, code)
    }
    const repaid = applyCommands(
      contractingApplication(),
      updateContract("PAID"),
      withdraw(),
      updateContract("REFUNDED")
    )
    assert.strictEqual(storedProposal(repaid)?.rejection?.code, "CUSTOMER_CANCELLED")
    for (const status of ["AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID", "REFUND_PENDING"] as const) {
      assert.isNull(after(contractingApplication(), status, { rejection: own })?.rejection)
    }
  })

  it("FGTS-79 only a failed payment that is not earlier than the recorded one denies a payment", () => {
    const { proposal } = contractingApplication()
    assert.isNotNull(proposal)
    const paid = applyCommands(paidAnew, updateContract("PAID", msAfter(1), { disbursement_attempt: 2 })).proposal
    assert.isNotNull(paid)
    fc.assert(
      fc.property(fc.constantFrom(...statuses), fc.integer({ min: 1, max: 3 }), (status, disbursement_attempt) => {
        const answer = { status, disbursement_attempt }
        assert.isFalse(deniesPayment(proposal, answer))
        assert.strictEqual(deniesPayment(paid, answer), status === "DISBURSEMENT_FAILED" && disbursement_attempt > 1)
      })
    )
  })

  it("FGTS-19 drops the end of an earlier payment's contract, if the payment was retried with another reference", () => {
    const renamed = applyCommands(
      paidAnew,
      updateContract("DISBURSING", msAfter(2), { reference: "contract-2", disbursement_attempt: 2 })
    )
    for (const status of ["CANCELLED", "REJECTED"] as const) {
      assert.deepStrictEqual(after(renamed, status), storedProposal(renamed))
      assert.strictEqual(after(renamed, status, { reference: "contract-2" })?.status, status)
      assert.strictEqual(after(renamed, status, { disbursement_attempt: 2 })?.status, status)
    }
    assert.strictEqual(after(renamed, "PAID")?.status, "PAID")
  })

  it("FGTS-19 T46 drops a status of an earlier payment, unless it ends the contract", () => {
    const early = { disbursement_attempt: 1 }
    assert.strictEqual(paidAnew.proposal?.disbursement_attempt, 2)
    for (const status of ["DISBURSEMENT_FAILED", "DISBURSING"] as const) {
      assert.deepStrictEqual(eventsOf(paidAnew, updateContract(status, msAfter(10), early)), [])
    }
    assert.strictEqual(after(paidAnew, "PAID", early)?.status, "PAID")
    assert.strictEqual(after(paidAnew, "CANCELLED", early)?.status, "CANCELLED")
    assert.strictEqual(after(paidAnew, "REJECTED", early)?.status, "REJECTED")
    assert.strictEqual(
      after(paidAnew, "DISBURSEMENT_FAILED", { disbursement_attempt: 2 })?.status,
      "DISBURSEMENT_FAILED"
    )
  })

  it("FGTS-19 T46 drops a repeated status and any status that the proposal has passed", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 8 }), (received) => {
        let application = contractingApplication()
        for (const status of received) {
          const before = application
          const events = eventsOf(application, updateContract(status))
          application = events.reduce(evolve, application)
          const from = before.proposal?.status ?? "PAID"
          const isFirst = status === "IN_ANALYSIS" && from === "SUBMITTING" && contractIn(before) === null
          const expected = isFirst ? ["ContractUpdated"] : stepsBetween(from, status)
          assert.deepStrictEqual(events.map(({ _tag }) => _tag), [...expected])
          const isReversed = (from === "PAID" || from === "REFUND_PENDING") &&
            (status === "CANCELLED" || status === "REJECTED")
          const next = isReversed ? "REFUNDED" : isFirst ? "SUBMITTING" : status
          if (events.length > 0) assert.strictEqual(application.proposal?.status, next)
          assert.deepStrictEqual(eventsOf(application, updateContract(status)), [])
        }
      }),
      { numRuns: 500 }
    )
  })

  it("PROP-03 FGTS-26 a contract that is IN_ANALYSIS is recorded, and its proposal stays SUBMITTING", () => {
    const required_action = { code: "RESEND_DOCUMENT", url: null, fields: [] }
    const examined = applyCommands(
      contractingApplication(),
      updateContract("IN_ANALYSIS", msAfter(1), { required_action })
    )
    assert.deepInclude(storedProposal(examined), { status: "SUBMITTING", updated_at: msAfter(1) })
    assert.deepInclude(contractIn(examined), { required_action })
    assert.deepStrictEqual(storedProposal(examined)?.status_history.map(({ status }) => status), ["SUBMITTING"])
    const cleared = applyCommands(examined, updateContract("IN_ANALYSIS", msAfter(2)))
    assert.deepInclude(contractIn(cleared), { required_action: null })
    for (const status of ["AWAITING_SIGNATURE", "PAID", "REJECTED", "CANCELLED"] as const) {
      assert.strictEqual(after(examined, status)?.status, status)
      assert.strictEqual(after(contractingApplication(), status)?.status, status)
      const passed = applyCommands(examined, updateContract(status, msAfter(2)))
      assert.deepStrictEqual(eventsOf(passed, updateContract("IN_ANALYSIS")), [])
    }
  })

  it("FGTS-26 a contract in analysis ends a correction and a conflict, and can then only be cancelled at the lender", () => {
    const refused = applyCommands(contractingApplication(), refuseSubmission(["phone"]))
    const conflicted = applyCommands(contractingApplication(), returnContractOfAnother())
    for (const before of [refused, conflicted]) {
      const examined = applyCommands(before, updateContract("IN_ANALYSIS", msAfter(1)))
      assert.deepInclude(examined.proposal, { status: "SUBMITTING" as const, conflicting_reference: null })
      assert.isNotNull(contractIn(examined))
      assert.isNull(proposalExpiresAt(examined))
      assert.deepStrictEqual(eventsOf(examined, cancel()).map(({ _tag }) => _tag), ["CancellationRequested"])
    }
  })

  it("FGTS-19 does nothing without a proposal", () => {
    for (const status of statuses) {
      assert.deepStrictEqual(eventsOf(newApplication(), updateContract(status)), [])
    }
  })

  it("FGTS-26 records a new signature_url or reference while the status stays", () => {
    const waiting = applyCommands(
      contractingApplication(),
      updateContract("AWAITING_SIGNATURE", noon, { signature_url: null })
    )
    const linked = after(waiting, "AWAITING_SIGNATURE", { signature_url: "https://lender.example/sign/2" })
    assert.deepInclude(linked, { signature_url: "https://lender.example/sign/2", updated_at: msAfter(10) })
    assert.deepStrictEqual(linked?.status_history, waiting.proposal?.status_history)
    const renamed = after(paidAnew, "DISBURSING", { reference: "contract-2", disbursement_attempt: 2 })
    assert.deepInclude(renamed, { reference: "contract-2" })
  })

  it("FGTS-26 a signature_url that differs at every look is recorded once, and again only when a new one was requested", () => {
    const waiting = applyCommands(contractingApplication(), updateContract("AWAITING_SIGNATURE"))
    const other = { signature_url: "https://lender.example/sign/2" }
    assert.deepStrictEqual(after(waiting, "AWAITING_SIGNATURE", other), storedProposal(waiting))
    const answer = {
      ...updateContract("AWAITING_SIGNATURE", msAfter(10), other),
      answers: "signature_link" as const
    }
    assert.deepStrictEqual(eventsOf(waiting, answer), [])
    const renewed = applyCommands(waiting, renewLink(), answer).proposal
    assert.deepInclude(renewed, { signature_url: "https://lender.example/sign/2", link_requested_at: null })
  })

  it("FGTS-26 FGTS-33 new facts do not end the request of a new link, which the lender has not answered", () => {
    const waiting = applyCommands(contractingApplication(), updateContract("AWAITING_SIGNATURE"), renewLink())
    const action = { required_action: { code: "LIVENESS", url: null, fields: [] } }
    const updated = applyCommands(waiting, updateContract("AWAITING_SIGNATURE", msAfter(1), action))
    assert.deepInclude(storedProposal(updated), { ...action, link_requested_at: noon })
    const answer = { ...updateContract("AWAITING_SIGNATURE", msAfter(2)), answers: "signature_link" as const }
    assert.deepStrictEqual(eventsOf(updated, answer).map(({ _tag }) => _tag), ["SignatureLinkRenewed"])
  })

  it("FGTS-26 records a payment and a required action once, whatever the address of the action", () => {
    const paid = { amount: centavos(500_00), at: noon, end_to_end_id: null }
    const action = { code: "LIVENESS", url: "https://lender.example/1", fields: [] }
    const first = applyCommands(contractingApplication(), updateContract("PAID"))
    const known = applyCommands(first, updateContract("PAID", noon, { paid, required_action: action }))
    assert.deepInclude(storedProposal(known), { paid, required_action: action })
    const again = { paid: { ...paid }, required_action: { ...action, url: "https://lender.example/2" } }
    assert.deepStrictEqual(after(known, "PAID", again), storedProposal(known))
    assert.isUndefined(after(known, "PAID", { paid })?.required_action)
    assert.deepStrictEqual(after(known, "PAID", { required_action: null })?.paid, paid)
  })

  it("FGTS-26 a payment that fails again for another reason shows the last reason that the lender stated", () => {
    const codes = fc.constantFrom("DISBURSEMENT_FAILED", "FRAUD_SUSPECTED", "LENDER_POLICY")
    const reasons = fc.option(
      fc.tuple(codes, fc.constantFrom("Conta inválida.", "Conta encerrada."), fc.option(fc.constant(msAfter(99))))
        .map(([code, message, retry_at]) => ({ ...rejectionReason(code, message), retry_at }))
    )
    fc.assert(
      fc.property(fc.array(reasons, { minLength: 1, maxLength: 6 }), (stated) => {
        const [first, ...others] = stated
        let application = applyCommands(
          contractingApplication(),
          updateContract("DISBURSEMENT_FAILED", noon, { rejection: first! })
        )
        for (const [index, rejection] of others.entries()) {
          const before = storedProposal(application)
          const isNew = rejection !== null &&
            (rejection.code !== before?.rejection?.code || rejection.message !== before.rejection.message)
          const answer = updateContract("DISBURSEMENT_FAILED", msAfter(index + 1), { rejection })
          const early = { ...answer, contract: { ...answer.contract, disbursement_attempt: 0 } }
          assert.deepStrictEqual(eventsOf(application, early), [])
          assert.deepStrictEqual(
            eventsOf(application, answer).map(({ _tag }) => _tag),
            isNew ? ["ContractUpdated"] : []
          )
          application = applyCommands(application, answer)
          const known = storedProposal(application)
          assert.deepStrictEqual(known?.status_history, before?.status_history)
          if (isNew) assert.deepInclude(known, { rejection, updated_at: msAfter(index + 1) })
          else assert.deepStrictEqual(known, before)
        }
      })
    )
  })

  it("FGTS-26 a reason with another number, time or id is no other reason: a poll can return a new one each time", () => {
    const failed = (message: string) =>
      updateContract("DISBURSEMENT_FAILED", noon, { rejection: rejectionReason("DISBURSEMENT_FAILED", message) })
    const known = applyCommands(contractingApplication(), failed("Erro 8 (31/01 12:03, id 3f2a-9c): conta inválida."))
    const eventsAfter = (message: string) => eventsOf(known, failed(message)).map(({ _tag }) => _tag)
    assert.deepStrictEqual(eventsAfter("Erro 9 (01/02 07:15, id b7e1-04): conta inválida."), [])
    assert.deepStrictEqual(eventsAfter("Erro 8 (31/01 12:03, id 3f2a-9c): conta encerrada."), ["ContractUpdated"])
  })

  it("FGTS-26 a payment that the lender states before the contract is paid is recorded when it is paid", () => {
    const paid = { amount: centavos(500_00), at: noon, end_to_end_id: null }
    const first = applyCommands(contractingApplication(), updateContract("DISBURSING"))
    assert.deepStrictEqual(eventsOf(first, updateContract("DISBURSING", noon, { paid })), [])
    assert.deepStrictEqual(after(first, "PAID", { paid })?.paid, paid)
  })

  it("FGTS-37 a contract that ends after its payment is REFUNDED with the lender's rejection", () => {
    assert.deepStrictEqual(afterPayment.REFUND_PENDING.CANCELLED, ["ContractRefunded"])
    const rejection = rejectionReason("LENDER_POLICY", "Estorno pela CAIXA.")
    for (const status of ["CANCELLED", "REJECTED", "REFUNDED"] as const) {
      const paid = applyCommands(contractingApplication(), updateContract("PAID"))
      assert.deepInclude(after(paid, status, { rejection }), { status: "REFUNDED", rejection })
    }
  })

  it("PROP-11 a cancellation that the caller requested has the caller's reason, not the lender's", () => {
    const expired = rejectionReason("SIGNATURE_EXPIRED", "expired")
    const waiting = applyCommands(contractingApplication(), updateContract("AWAITING_SIGNATURE"))
    const cancelling = applyCommands(waiting, cancel(noon, null, "DATA_ERROR"))
    const codeOf = (one: Application) => after(one, "CANCELLED", { rejection: expired })?.rejection?.code
    assert.strictEqual(codeOf(cancelling), "CANCELLED_BY_PARTNER")
    assert.strictEqual(codeOf(waiting), "SIGNATURE_EXPIRED")
  })

  it("PROP-11 a contract that was paid before its cancellation, or whose refund was not paid, is PAID with the reason", () => {
    const reasons = (application: Application) =>
      application.proposal?.status_history.slice(-2).map(({ reason, status }) => [status, reason])
    const waiting = applyCommands(contractingApplication(), updateContract("DISBURSING"))
    const paid = applyCommands(waiting, cancel(), updateContract("PAID"))
    assert.deepStrictEqual(reasons(paid), [["CANCELLING", null], ["PAID", "ALREADY_PAID"]])
    assert.isUndefined(storedProposal(paid)?.cancellation)
    const refunding = applyCommands(paid, withdraw(), updateContract("REFUND_PENDING", noon, { refund }))
    assert.deepStrictEqual(storedProposal(refunding)?.refund, refund)
    const back = applyCommands(refunding, updateContract("PAID"))
    assert.deepStrictEqual(reasons(back), [["REFUND_PENDING", null], ["PAID", "REFUND_NOT_PAID"]])
    assert.doesNotHaveAnyKeys(storedProposal(back), ["refund", "withdrawal"])
  })

  it("FGTS-26 records no reference or signature_url of a final or passed status, and keeps a missing signature_url", () => {
    for (const status of statuses) {
      const application = applyCommands(contractingApplication(), updateContract(status))
      const { proposal } = application
      if (proposal === null) continue
      const renamed = {
        ...updateContract(status).contract,
        reference: "contract-2",
        signature_url: "https://lender.example/2"
      }
      assert.strictEqual(updateOf(proposal, renamed, undefined) !== null, !isFinal(proposal), status)
      const unlinked = updateContract(status, noon, { signature_url: null })
      assert.deepStrictEqual(eventsOf(application, unlinked), [], status)
    }
    const past = updateContract("AWAITING_SIGNATURE", noon, { signature_url: "https://lender.example/2" })
    assert.deepStrictEqual(eventsOf(paidAnew, past), [])
  })
})
