import { kycFields, kycGroups } from "@lastro/domain/kyc"
import {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderContract,
  type LenderContractStatus
} from "@lastro/domain/loan"
import { currentTimestamp, type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { inParallel } from "../suite/transactions.ts"
import { type LenderCases, outcomesOf, playLender } from "./playLender.ts"

/** The names and paths of the KYC fields that a lender can refuse. */
const kycPaths: ReadonlySet<string> = new Set([
  ...Object.keys(kycFields),
  ...Object.entries(kycGroups).flatMap(([group, fields]) => Object.keys(fields).map((field) => `${group}.${field}`))
])

/** Contract cases for Lender: contracts and payments. */
export const lenderContractCases: LenderCases = (fixtures) => (it) => {
  const outcome = outcomesOf(it, fixtures)
  it("`submit` creates one contract per proposal_id, however often it is called", function*() {
    const { lender, newSubmission } = yield* playLender(fixtures, fixtures.paid)
    const submission = yield* newSubmission()
    const created = yield* lender.submit(submission)
    const again = yield* inParallel([1, 2, 3].map(() => lender.submit(submission)))
    assert.deepStrictEqual(new Set([created, ...again].map(({ reference }) => reference)), new Set([created.reference]))
    const other = { ...submission, proposal_id: (yield* freshId) as ProposalId }
    assert.notStrictEqual((yield* lender.submit(other)).reference, created.reference)
  })

  outcome(
    "invalid",
    "`submit` fails with SubmissionInvalid for data that the lender refuses, and accepts the same proposal with corrected data",
    function*({ lender, newSubmission }, { corrected, fields }) {
      const submission = yield* newSubmission()
      const failure = yield* Effect.flip(lender.submit(submission))
      if (failure._tag !== "SubmissionInvalid") return assert.fail(failure.detail)
      assert.deepStrictEqual(failure.fields.map(({ field }) => field), fields)
      for (const { field } of failure.fields) assert.include(kycPaths, field)
      for (const secret of [submission.customer.cpf, submission.kyc.mother_name]) {
        assert.isFalse(secret !== null && failure.message?.includes(secret) === true)
      }
      const created = yield* lender.submit({ ...submission, kyc: { ...submission.kyc, ...corrected } })
      assert.notStrictEqual(created.status, "REJECTED")
    }
  )

  it("`contract` returns the current status of payment 1: the status after submission, or one that can follow it", function*() {
    const { lender, submitNew } = yield* playLender(fixtures, fixtures.paid)
    const { created } = yield* submitNew()
    const polled = yield* lender.contract(created.reference)
    assert.strictEqual(polled.reference, created.reference)
    assert.deepStrictEqual([created.disbursement_attempt, polled.disbursement_attempt], [1, 1])
    assert.isTrue(isContractStep(created.status, polled.status))
  })

  it("`contract` fails with reason ASKED for an unknown reference", function*() {
    const { lender } = yield* playLender(fixtures, fixtures.paid)
    assert.strictEqual((yield* Effect.flip(lender.contract("unknown/1"))).reason, "ASKED")
  })

  it("`contract` returns PAID after the payment, with its amount if the lender states it", function*() {
    const { reach } = yield* playLender(fixtures, fixtures.paid)
    const { contract, submission } = yield* reach("PAID")
    assert.isNull(contract.rejection)
    assert.strictEqual(contract.disbursement_attempt, 1)
    assert.isNull(contract.signature_url)
    const { net_amount } = contract.terms ?? submission.offer.terms
    const { paid = null } = contract
    if (paid !== null) assert.strictEqual(paid.amount, net_amount)
  })

  outcome(
    "in_analysis",
    "`contract` returns IN_ANALYSIS, without a signature link, until the lender has examined the contract",
    function*({ follow, lender, submitNew }) {
      const { created, submission } = yield* submitNew()
      assert.deepInclude(created, { status: "IN_ANALYSIS", signature_url: null, rejection: null })
      assert.strictEqual((yield* lender.contract(created.reference)).status, "IN_ANALYSIS")
      yield* follow({ proposal_id: submission.proposal_id, contract: created }, ["PAID"])
    }
  )

  outcome(
    "rejected",
    "`contract` returns REJECTED with the reason of the lender",
    ({ reach }) => Effect.map(reach("REJECTED"), ({ contract }) => assert.isNotNull(contract.rejection))
  )

  outcome(
    "signature_expired",
    "`contract` returns CANCELLED with the reason SIGNATURE_EXPIRED when the time to sign has expired",
    ({ reach }) =>
      Effect.map(
        reach("CANCELLED"),
        ({ contract }) => assert.strictEqual(contract.rejection?.code, "SIGNATURE_EXPIRED")
      )
  )

  outcome(
    "payment_failed",
    "`resubmit` pays once per disbursement_attempt, however often it is called",
    function*({ follow, lender, reach }, { fail_again }) {
      const { contract: failed, submission } = yield* reach("DISBURSEMENT_FAILED")
      assert.isNotNull(failed.rejection)
      assert.strictEqual(failed.disbursement_attempt, 1)
      const { proposal_id } = submission
      const payment = secondPayment(submission, failed)
      const paying = yield* lender.resubmit(payment)
      assert.strictEqual(paying.disbursement_attempt, 2)
      const again = yield* inParallel([1, 2].map(() => lender.resubmit(payment)))
      for (const contract of again) {
        assert.deepInclude(contract, { disbursement_attempt: 2, reference: paying.reference })
      }
      assert.strictEqual((yield* lender.contract(paying.reference)).disbursement_attempt, 2)
      if (fail_again === undefined) {
        const paid = yield* follow({ proposal_id, contract: paying }, ["PAID"])
        assert.deepInclude(paid, { disbursement_attempt: 2, rejection: null })
        return
      }
      yield* fail_again({ proposal_id, contract: paying })
      const third = { ...payment, reference: paying.reference, disbursement_attempt: 3 }
      const contract = yield* lender.resubmit(third)
      assert.strictEqual(contract.disbursement_attempt, 3)
      const paid = yield* follow({ proposal_id, contract }, ["PAID"])
      assert.deepInclude(paid, { disbursement_attempt: 3, rejection: null })
    }
  )

  outcome(
    "destination_refused",
    "`resubmit` returns DISBURSEMENT_FAILED with the new disbursement_attempt if the lender refuses the destination",
    function*({ lender, reach }, { refuse }) {
      const { contract: failed, submission } = yield* reach("DISBURSEMENT_FAILED")
      yield* refuse
      const refused = yield* lender.resubmit(secondPayment(submission, failed))
      assert.deepInclude(refused, { status: "DISBURSEMENT_FAILED", disbursement_attempt: 2 })
    }
  )

  outcome(
    "settled",
    "`contract` returns SETTLED, with the payment and no rejection, when the contract is repaid in full",
    function*({ lender, reach }) {
      const { contract, submission } = yield* reach("SETTLED")
      const { disbursement_attempt, paid = null, rejection, settled_at = null } = contract
      assert.deepStrictEqual([rejection, disbursement_attempt], [null, 1])
      if (paid !== null) assert.strictEqual(paid.amount, (contract.terms ?? submission.offer.terms).net_amount)
      if (settled_at !== null) assert.isAtMost(settled_at.localeCompare(yield* currentTimestamp), 0)
      assert.strictEqual((yield* lender.contract(contract.reference)).status, "SETTLED")
    }
  )

  outcome(
    "reversed",
    "`contract` returns REFUNDED, or CANCELLED from a lender without refunds, after the lender reversed a payment",
    ({ reach }) => Effect.map(reach("REFUNDED", "CANCELLED"), ({ contract }) => assert.isNotNull(contract.rejection))
  )

  it("the reference of a contract contains no CPF", function*() {
    const { customer, submitNew } = yield* playLender(fixtures, fixtures.paid)
    assert.notInclude((yield* submitNew()).created.reference, customer.cpf)
  })
}

/** Builds the request for the second payment of a contract. */
const secondPayment = (
  { accepted_at, disbursement, proposal_id }: ContractSubmission,
  { reference }: LenderContract
): DisbursementResubmission => ({
  proposal_id,
  reference,
  disbursement,
  disbursement_attempt: 2,
  requested_at: accepted_at
})

/** The statuses of a contract in the order in which a lender can reach them. */
const ranks: Readonly<Record<LenderContractStatus, number>> = {
  IN_ANALYSIS: -1,
  AWAITING_SIGNATURE: 0,
  GUARANTEE_PENDING: 1,
  DISBURSING: 2,
  DISBURSEMENT_FAILED: 3,
  PAID: 4,
  REFUND_PENDING: 5,
  CANCELLED: 6,
  REJECTED: 6,
  REFUNDED: 6,
  SETTLED: 6
}

/** Returns whether a contract can have the status `to` after `from`. Ignores repeated payments and expired refunds. */
const isContractStep = (from: LenderContractStatus, to: LenderContractStatus): boolean =>
  from === to || ranks[from] < ranks[to]
