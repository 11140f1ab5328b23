import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { decideRecordContract, isRetold, reasonOf } from "../../../src/fgts/application/decideContract.ts"
import { evolve } from "../../../src/fgts/application/evolve.ts"
import { isFinal, ProposalStatus } from "../../../src/fgts/contract/Proposal.ts"
import { proposalPath } from "../../../src/fgts/contract/proposalPath.ts"
import { type LenderContract } from "../../../src/fgts/lender/Lender.ts"
import { rejectionReason } from "../../../src/fgts/quote/RejectionReason.ts"
import { contract, contracting, fresh, having, later, noon, submitKyc, wholeKyc } from "../examples.ts"

const statuses = ProposalStatus.literals.filter((status) => status !== "SUBMITTING")

const unpaid = having(contracting(), contract("DISBURSEMENT_FAILED"))
const paidAnew = having(unpaid, submitKyc(wholeKyc, later(1)))

/** The proposal after what the lender told. */
const after = (application: Application, status: LenderContract["status"], told: Partial<LenderContract> = {}) =>
  having(application, contract(status, later(10), told)).proposal

describe("how a contract stands", () => {
  it("FGTS-19 every status on the way is recorded, at one instant, and why where there is a why", () => {
    const proposal = after(contracting(), "DISBURSEMENT_FAILED")
    assert.deepStrictEqual(proposal?.status_history.slice(1), [
      { status: "AWAITING_SIGNATURE", at: later(10), reason: null },
      { status: "GUARANTEE_PENDING", at: later(10), reason: null },
      { status: "DISBURSING", at: later(10), reason: null },
      { status: "DISBURSEMENT_FAILED", at: later(10), reason: "DISBURSEMENT_FAILED" }
    ])
    assert.strictEqual(proposal?.rejection?.message, "Conta inválida.")
    assert.strictEqual(proposal?.reference, "contract-1")
    assert.strictEqual(proposal?.updated_at, later(10))
  })

  it("FGTS-19 a reason is told of what failed only, and forgotten once it goes on", () => {
    const rejection = unpaid.proposal?.rejection ?? null
    assert.isNotNull(rejection)
    for (const status of statuses) {
      const expected = ["DISBURSEMENT_FAILED", "CANCELLED", "REJECTED"].includes(status) ? rejection : null
      assert.deepStrictEqual(after(contracting(), status, { rejection })?.rejection, expected, status)
    }
    assert.isNull(after(unpaid, "DISBURSING", { rejection })?.rejection)
    assert.isNull(after(unpaid, "PAID")?.rejection)
    assert.isNull(paidAnew.proposal?.rejection)
  })

  it("FGTS-23 what ends a contract or keeps it from being paid has a reason, the lender's or one by its status", () => {
    const own = rejectionReason("FRAUD_SUSPECTED", "Suspeita.")
    const codes = statuses.map((status) => [status, reasonOf(status, { rejection: null })?.code ?? null])
    assert.deepStrictEqual(Object.fromEntries(codes), {
      AWAITING_SIGNATURE: null,
      GUARANTEE_PENDING: null,
      DISBURSING: null,
      DISBURSEMENT_FAILED: "DISBURSEMENT_FAILED",
      PAID: null,
      CANCELLED: "CUSTOMER_CANCELLED",
      REJECTED: "LENDER_POLICY"
    })
    for (const status of ["DISBURSEMENT_FAILED", "CANCELLED", "REJECTED"] as const) {
      assert.strictEqual(reasonOf(status, { rejection: own }), own)
      const proposal = after(contracting(), status, { rejection: null })
      assert.strictEqual(proposal?.status_history.at(-1)?.reason, reasonOf(status, { rejection: null })?.code)
      assert.isNotNull(proposal?.rejection)
    }
    assert.isNull(reasonOf("PAID", { rejection: own }))
  })

  it("FGTS-19 the place of signing stays known once there is nothing to sign any more", () => {
    const waiting = having(contracting(), contract("AWAITING_SIGNATURE"))
    assert.strictEqual(after(waiting, "PAID", { signature_url: null })?.signature_url, "https://lender.example/sign/1")
  })

  it("FGTS-19 T46 what tells of an earlier payment than the last is dropped, but for what ends the contract", () => {
    const early = { disbursement_attempt: 1 }
    assert.strictEqual(paidAnew.proposal?.disbursement_attempt, 2)
    for (const status of ["DISBURSEMENT_FAILED", "DISBURSING"] as const) {
      assert.deepStrictEqual(decideRecordContract(paidAnew, contract(status, later(10), early)), [])
    }
    assert.strictEqual(after(paidAnew, "PAID", early)?.status, "PAID")
    assert.strictEqual(after(paidAnew, "CANCELLED", early)?.status, "CANCELLED")
    assert.strictEqual(after(paidAnew, "REJECTED", early)?.status, "REJECTED")
    assert.strictEqual(
      after(paidAnew, "DISBURSEMENT_FAILED", { disbursement_attempt: 2 })?.status,
      "DISBURSEMENT_FAILED"
    )
  })

  it("FGTS-19 T46 the same answer again, and any answer that the proposal is past, is no news", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 8 }), (told) => {
        let application = contracting()
        for (const status of told) {
          const before = application
          const events = decideRecordContract(application, contract(status))
          application = events.reduce(evolve, application)
          const from = before.proposal?.status ?? "PAID"
          assert.strictEqual(events.length, proposalPath(from, status).length)
          if (events.length > 0) assert.strictEqual(application.proposal?.status, status)
          assert.deepStrictEqual(decideRecordContract(application, contract(status)), [])
        }
      }),
      { numRuns: 500 }
    )
  })

  it("FGTS-19 without a proposal there is no contract to speak of", () => {
    for (const status of statuses) assert.deepStrictEqual(decideRecordContract(fresh(), contract(status)), [])
  })

  it("FGTS-26 where to sign, and what the lender calls the contract, are news though it stands where it stood", () => {
    const waiting = having(contracting(), contract("AWAITING_SIGNATURE", noon, { signature_url: null }))
    const linked = after(waiting, "AWAITING_SIGNATURE", { signature_url: "https://lender.example/sign/2" })
    assert.deepInclude(linked, { signature_url: "https://lender.example/sign/2", updated_at: later(10) })
    assert.deepStrictEqual(linked?.status_history, waiting.proposal?.status_history)
    const renamed = after(paidAnew, "DISBURSING", { reference: "contract-2", disbursement_attempt: 2 })
    assert.deepInclude(renamed, { reference: "contract-2", signature_url: "https://lender.example/sign/1" })
  })

  it("FGTS-26 nothing is retold of what is final, of what is past, or by leaving the place of signing out", () => {
    for (const status of statuses) {
      const { proposal } = having(contracting(), contract(status))
      if (proposal === null) continue
      const told = { ...contract(status).contract, reference: "contract-2", signature_url: "https://lender.example/2" }
      assert.strictEqual(isRetold(proposal, told), !isFinal(proposal), status)
      assert.isFalse(isRetold(proposal, contract(status, noon, { signature_url: null }).contract), status)
      assert.isFalse(isRetold({ ...proposal, status: "SUBMITTING" }, told), status)
    }
    const past = contract("AWAITING_SIGNATURE", noon, { signature_url: "https://lender.example/2" })
    assert.deepStrictEqual(decideRecordContract(paidAnew, past), [])
  })
})
