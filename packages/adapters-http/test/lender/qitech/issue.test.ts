import { assert, describe } from "@effect/vitest"
import { Lender } from "@lastro/domain/lender"
import { exampleBank } from "@lastro/testkit"
import { Effect } from "effect"
import { offered, onQitech, submissionOf } from "./harness.ts"

describe("the documents of a contract at QI Tech", () => {
  onQitech("are uploaded once, although the first submission fails in between", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.injectFaults(/upload/, "DROP")
    simulator.injectFaults(/debt_fgts/, "DROP")
    yield* Effect.flip(lender.submit(submission))
    assert.strictEqual(simulator.documents().length, 2)
    yield* Effect.flip(lender.submit(submission))
    assert.strictEqual((yield* lender.submit(submission)).status, "AWAITING_SIGNATURE")
    assert.strictEqual(simulator.documents().length, 3)
    assert.strictEqual(simulator.calls.filter(({ path }) => path === "/upload").length, 4)
  })

  onQitech("are uploaded again after an hour, and after a refusal", function*({ pass, simulator }) {
    const lender = yield* Lender
    const offer = yield* offered(simulator)
    simulator.injectFaults(/debt_fgts/, { status: 503, body: {} })
    yield* Effect.flip(lender.submit(submissionOf(offer)))
    yield* pass(3_600_000)
    assert.strictEqual(
      (yield* Effect.flip(lender.submit(submissionOf(offer, { mother_name: null }))))._tag,
      "SubmissionInvalid"
    )
    assert.strictEqual(simulator.documents().length, 6)
    yield* lender.submit(submissionOf(offer))
    assert.strictEqual(simulator.documents().length, 9)
  })

  onQitech("are not uploaded if QI Tech cannot pay to the account", function*({ simulator }) {
    const bank = { ...exampleBank, bank_code: "60701190" }
    const submission = submissionOf(yield* offered(simulator), { disbursement_method: "BANK_TRANSFER", bank })
    assert.strictEqual((yield* Effect.flip((yield* Lender).submit(submission)))._tag, "SubmissionInvalid")
    assert.strictEqual(simulator.documents().length, 0)
  })
})

describe("the terms of a contract at QI Tech", () => {
  onQitech("are returned if the loan is issued on a later day than it was quoted for", function*({ pass, simulator }) {
    const lender = yield* Lender
    const offer = yield* offered(simulator)
    const submission = submissionOf(offer)
    yield* pass(2 * 86_400_000)
    const contract = yield* lender.submit(submission)
    const { data } = simulator.debts()[0]!
    assert.strictEqual(data.disbursement_date, "2026-12-03")
    assert.notStrictEqual(contract.terms?.net_amount, offer.terms.net_amount)
    assert.strictEqual(contract.terms?.net_amount, Math.round(data.disbursed_issue_amount * 100))
    assert.strictEqual(contract.terms?.principal_amount, Math.round(data.issue_amount * 100))
    assert.deepStrictEqual(
      contract.terms?.installments.map(({ amount, due_date }) => ({ amount, due_date })),
      offer.terms.installments.map(({ amount, due_date }) => ({ amount, due_date }))
    )
    assert.deepStrictEqual(yield* lender.submit(submission), contract)
  })

  onQitech("are absent if the loan has the terms of the offer", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    assert.isUndefined((yield* lender.submit(submission)).terms)
    assert.isUndefined((yield* lender.submit(submission)).terms)
  })

  onQitech(
    "are absent if the loan is issued on the Saturday of its offer, although it is paid on the Monday",
    function*({ pass, simulator }) {
      const lender = yield* Lender
      yield* pass(4 * 86_400_000)
      const submission = submissionOf(yield* offered(simulator))
      assert.isUndefined((yield* lender.submit(submission)).terms)
      assert.strictEqual(simulator.debts()[0]?.data.disbursement_date, "2026-12-07")
      assert.isUndefined((yield* lender.submit(submission)).terms)
    }
  )
})
