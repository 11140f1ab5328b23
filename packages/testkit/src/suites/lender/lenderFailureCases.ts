// Calls with different errors have one type here.
// @effect-diagnostics anyUnknownInErrorContext:off
import {
  type ExitRefused,
  type LenderUnavailable,
  type LenderUnsupported,
  type SubmissionInvalid
} from "@lastro/domain/lender"
import { currentTimestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { type LenderCases, outcomesOf } from "./playLender.ts"

const reason = "CUSTOMER_REQUEST"

type CallFailure = ExitRefused | LenderUnavailable | LenderUnsupported | SubmissionInvalid

/** Contract cases for Lender: calls without a usable answer. */
export const lenderFailureCases: LenderCases = (fixtures) => (it) => {
  const outcome = outcomesOf(it, fixtures)
  outcome(
    "failing",
    "every call fails with LenderUnavailable if the lender gives no usable answer, and takes no decision from it",
    function*({ customer, finish, lender, newRequest, newSubmission, submitNew }, { failures }) {
      assert.isNotEmpty(failures)
      const exits = yield* lender.exits
      const { created, submission } = yield* submitNew()
      const { disbursement, proposal_id } = submission
      const { reference } = created
      const requested_at = yield* currentTimestamp
      const [request, unsubmitted] = [yield* newRequest(), yield* newSubmission()]
      const payment = { proposal_id, reference, disbursement, disbursement_attempt: 2, requested_at }
      const exit = { proposal_id, reference, reason, requested_at } as const
      const calls: Readonly<Record<string, Effect.Effect<unknown, CallFailure>>> = {
        quote: lender.quote(request),
        submit: lender.submit(unsubmitted),
        contract: lender.contract(reference),
        resubmit: lender.resubmit(payment),
        ...(exits.cancel ? { cancel: lender.cancel(exit) } : {}),
        ...(exits.refund ? { refund: lender.refund(exit) } : {}),
        ...(exits.signature_link ? { signatureLink: lender.signatureLink(reference) } : {})
      }
      for (const { inject, name, reason = "ASKED" } of failures) {
        for (const [method, call] of Object.entries(calls)) {
          yield* inject
          const failure = yield* Effect.flip(call)
          const label = `${method}: ${name}`
          if (failure._tag !== "LenderUnavailable") return assert.fail(`${label}: ${failure._tag}`)
          const { detail } = failure
          assert.strictEqual(failure.reason, reason, `${label}: ${detail}`)
          for (const secret of [customer.cpf, submission.kyc.name, submission.kyc.mother_name]) {
            assert.isFalse(secret !== null && detail.includes(secret), `${label}: personal data in \`detail\``)
          }
          // The contract is unchanged. This call also resets a circuit breaker, which counts consecutive failures.
          const contract = yield* lender.contract(reference)
          assert.deepStrictEqual([contract.status, contract.disbursement_attempt], [created.status, 1], label)
        }
      }
      assert.strictEqual((yield* finish(request)).kind, "PRICED")
      const submitted = yield* lender.submit(unsubmitted)
      assert.deepStrictEqual([submitted.rejection, submitted.disbursement_attempt], [null, 1])
    }
  )
}
