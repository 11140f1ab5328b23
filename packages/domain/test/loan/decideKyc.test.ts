import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { type Application } from "../../src/loan/Application.ts"
import { isCancelledEarly } from "../../src/loan/ApplicationStatus.ts"
import { type Email } from "../../src/values/Email.ts"
import {
  applyCommands,
  completeKyc,
  contractingApplication,
  decideOn,
  msAfter,
  newApplication,
  quotedApplication,
  storedProposal,
  submitKyc,
  updateContract
} from "./examples.ts"
import { states } from "./states.ts"

const unpaid = applyCommands(contractingApplication(), updateContract("DISBURSEMENT_FAILED"))

const submitting = (application: Application, kyc: KycValues, has_disbursement_data = true): string =>
  Result.match(decideOn(application, submitKyc(kyc, msAfter(10), has_disbursement_data)), {
    onSuccess: (events) => events.map(({ _tag }) => _tag).join(),
    onFailure: ({ _tag }) => _tag
  })

describe("submitting KYC", () => {
  it("KYC-02 before acceptance any field may be submitted, partially, again or as null; an unchanged KYC records nothing", () => {
    const open = Object.values(states).filter(({ application }) =>
      application.proposal === null && !isCancelledEarly(application)
    )
    assert.isAbove(open.length, 8)
    for (const { application } of open) {
      const before = application.kyc ?? emptyKyc
      assert.strictEqual(submitting(application, { ...before, nationality: "Uruguaia" }), "KycSubmitted")
      assert.strictEqual(submitting(application, emptyKyc), application.kyc === null ? "" : "KycSubmitted")
      assert.strictEqual(submitting(application, before), "")
      assert.strictEqual(submitting(application, { ...before, address: before.address && { ...before.address } }), "")
    }
    assert.strictEqual(submitting(newApplication(), emptyKyc), "")
  })

  it("KYC-02 T45 after acceptance personal data never changes, even after a failed payment", () => {
    const changes: ReadonlyArray<Partial<KycValues>> = [
      { name: "Outra Pessoa" },
      { email: "outra@example.com" as Email },
      { is_pep: true },
      { is_pep: null },
      { document: null },
      { document: { ...completeKyc.document, number: "1" } },
      { address: { ...completeKyc.address, complement: null } }
    ]
    for (
      const application of [
        contractingApplication(),
        unpaid,
        applyCommands(contractingApplication(), updateContract("PAID"))
      ]
    ) {
      for (const change of changes) {
        const bank = { ...completeKyc.bank, account_number: "7654321" }
        assert.strictEqual(submitting(application, { ...completeKyc, ...change }), "KycLocked")
        assert.strictEqual(submitting(application, { ...completeKyc, ...change, bank }), "KycLocked")
      }
    }
  })

  it("KYC-02 T45 after a failed payment another account is paid again; the acceptance stays unchanged", () => {
    const byBank: KycValues = { ...completeKyc, disbursement_method: "BANK_TRANSFER" }
    const after = applyCommands(unpaid, submitKyc(byBank, msAfter(10)))
    assert.deepStrictEqual(after.kyc, byBank)
    assert.deepInclude(storedProposal(after), {
      status: "DISBURSING",
      rejection: null,
      disbursement: { method: "BANK_TRANSFER", pix: null, bank: completeKyc.bank },
      disbursement_attempt: 2,
      updated_at: msAfter(10),
      reference: "contract-1"
    })
    assert.strictEqual(after.proposal?.acceptance, unpaid.proposal?.acceptance)
    assert.deepStrictEqual(after.proposal?.status_history.at(-1), {
      status: "DISBURSING",
      at: msAfter(10),
      reason: null
    })
    assert.strictEqual(submitting(after, completeKyc), "KycLocked")
  })

  it("KYC-02 after a failed payment the same account requests another payment; an incomplete account does not", () => {
    assert.strictEqual(submitting(unpaid, completeKyc, true), "DisbursementCorrected")
    assert.strictEqual(submitting(unpaid, completeKyc, false), "")
    assert.strictEqual(submitting(unpaid, { ...completeKyc, disbursement_method: null }), "KycIncomplete")
    assert.strictEqual(submitting(unpaid, { ...completeKyc, pix: { type: "EMAIL", key: null } }), "KycIncomplete")
    assert.strictEqual(submitting(unpaid, { ...completeKyc, bank: null }), "DisbursementCorrected")
  })

  it("KYC-02 the contract uses the KYC submitted before acceptance", () => {
    const other: KycValues = { ...completeKyc, disbursement_method: "BANK_TRANSFER", name: "Maria C. da Silva" }
    assert.deepStrictEqual(applyCommands(quotedApplication(), submitKyc(other)).kyc, other)
  })
})
