import { assert, describe } from "@effect/vitest"
import { Lender } from "@lastro/domain/lender"
import { type LenderCancellation } from "@lastro/domain/loan"
import { type Timestamp } from "@lastro/domain/values"
import { exampleProposal as proposal_id } from "@lastro/testkit"
import { Effect } from "effect"
import { deliver, offered, onQitech, submissionOf } from "./harness.ts"

const requested_at = "2026-12-01T15:00:00.000Z" as Timestamp
const cancellation = { proposal_id, reason: "CUSTOMER_REQUEST", requested_at } as const
const minute = 60_000

/** Submits the first offer of a quote. */
const submitted = Effect.fnUntraced(function*(simulator: Parameters<typeof offered>[0]) {
  const lender = yield* Lender
  const submission = submissionOf(yield* offered(simulator))
  return { lender, submission, contract: yield* lender.submit(submission) }
})

/** Submits and pays a contract. Returns the request of its refund. */
const paidContract = Effect.fnUntraced(function*(simulator: Parameters<typeof offered>[0]) {
  const { contract: { reference }, lender } = yield* submitted(simulator)
  simulator.sign()
  simulator.pay()
  return { lender, reference, request: { proposal_id, reference, reason: "CUSTOMER_REQUEST", requested_at } as const }
})

describe("a debt at QI Tech that pays less than the accepted offer", () => {
  onQitech("is not REJECTED before it is cancelled", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.setShortfall(1)
    simulator.refuseCancel(true)
    assert.strictEqual((yield* Effect.flip(lender.submit(submission)))._tag, "LenderUnavailable")
    assert.strictEqual((yield* Effect.flip(lender.submit(submission)))._tag, "LenderUnavailable")
    simulator.refuseCancel(false)
    assert.strictEqual((yield* lender.submit(submission)).status, "REJECTED")
    assert.strictEqual(simulator.debts()[0]?.status, "canceled_permanently")
    assert.strictEqual((yield* lender.submit(submission)).status, "REJECTED")
  })

  onQitech(
    "is found and cancelled, although the answers to the issue and to the cancellation are lost",
    function*({ simulator }) {
      const lender = yield* Lender
      const submission = submissionOf(yield* offered(simulator))
      simulator.setShortfall(1)
      simulator.injectFaults(/debt_fgts/, "LOSE")
      simulator.injectFaults(/PATCH/, "DROP", "LOSE")
      for (let attempt = 1; attempt <= 3; attempt += 1) yield* Effect.flip(lender.submit(submission))
      assert.strictEqual((yield* lender.submit(submission)).status, "REJECTED")
      assert.deepStrictEqual(simulator.debts().map(({ status }) => status), ["canceled_permanently"])
    }
  )

  onQitech("is cancelled if a refused second issue finds it", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.setShortfall(1)
    simulator.injectFaults(/debt_fgts/, "LOSE")
    yield* Effect.flip(lender.submit(submission))
    simulator.injectFaults(/requester_identifier_key/, { status: 404, body: { data: "{}" } })
    assert.strictEqual((yield* lender.submit(submission)).status, "REJECTED")
  })

  onQitech("is reported as PAID if it was paid all the same", function*({ simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.setShortfall(1)
    simulator.injectFaults(/debt_fgts/, "LOSE")
    yield* Effect.flip(lender.submit(submission))
    simulator.pay()
    assert.strictEqual((yield* lender.submit(submission)).status, "PAID")
  })
})

describe("a payment at QI Tech that the banks refused because of the hour", () => {
  onQitech(
    "is not presented again after a cancellation was requested, nor by the cancellation itself",
    function*({ simulator }) {
      const { contract: { reference }, lender, submission } = yield* submitted(simulator)
      simulator.sign()
      simulator.refusePayment("disbursing_hour_closed")
      yield* deliver(simulator)
      assert.strictEqual((yield* lender.submit(submission)).status, "DISBURSING")
      assert.strictEqual(simulator.debts()[0]?.presented, 1)
      simulator.injectFaults(/cancel_permanently/, "DROP")
      yield* Effect.flip(lender.cancel({ ...cancellation, reference }))
      assert.strictEqual((yield* lender.contract(reference)).status, "DISBURSING")
      assert.strictEqual(simulator.debts()[0]?.presented, 1)
      assert.strictEqual((yield* lender.cancel({ ...cancellation, reference }))?.status, "CANCELLED")
    }
  )
})

describe("a refund at QI Tech", () => {
  onQitech("is not PAID while the debt is not opened, and is requested once", function*({ simulator }) {
    const { lender, request } = yield* paidContract(simulator)
    simulator.setStatus("disbursed")
    assert.strictEqual((yield* Effect.flip(lender.refund(request)))._tag, "LenderUnavailable")
    assert.strictEqual(simulator.debts()[0]?.reversed, 0)
    simulator.setStatus("opened")
    assert.strictEqual((yield* lender.refund(request)).status, "REFUND_PENDING")
    assert.strictEqual(simulator.debts()[0]?.reversed, 1)
  })

  onQitech(
    "is awaited until its code shows, although the answer to the request is lost",
    function*({ pass, simulator }) {
      const { lender, request } = yield* paidContract(simulator)
      simulator.setReadLag(2 * minute)
      simulator.injectFaults(/reversal/, "LOSE")
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        assert.strictEqual((yield* Effect.flip(lender.refund(request)))._tag, "LenderUnavailable")
      }
      yield* pass(2 * minute)
      assert.strictEqual((yield* lender.refund(request)).status, "REFUND_PENDING")
      assert.strictEqual(simulator.debts()[0]?.reversed, 1)
    }
  )

  onQitech("is awaited until its code shows, although QI Tech takes longer", function*({ pass, simulator }) {
    const { lender, request } = yield* paidContract(simulator)
    simulator.setReadLag(60 * minute)
    assert.strictEqual((yield* Effect.flip(lender.refund(request)))._tag, "LenderUnavailable")
    yield* pass(30 * minute)
    assert.strictEqual((yield* Effect.flip(lender.refund(request)))._tag, "LenderUnavailable")
    yield* pass(30 * minute)
    assert.strictEqual((yield* lender.refund(request)).status, "REFUND_PENDING")
    assert.strictEqual(simulator.debts()[0]?.reversed, 1)
  })

  onQitech(
    "stays REFUND_PENDING when the customer has paid, also for a second withdrawal",
    function*({ pass, simulator }) {
      const { lender, reference, request } = yield* paidContract(simulator)
      yield* lender.refund(request)
      simulator.setRefundStatus("paid")
      assert.strictEqual((yield* lender.contract(reference)).status, "REFUND_PENDING")
      const again = { ...request, requested_at: "2026-12-01T16:00:00.000Z" as Timestamp }
      assert.strictEqual((yield* lender.refund(again)).status, "REFUND_PENDING")
      yield* pass(20 * 24 * 60 * minute)
      assert.strictEqual((yield* lender.contract(reference)).status, "REFUND_PENDING")
      assert.strictEqual(simulator.debts()[0]?.reversed, 1)
    }
  )

  onQitech(
    "leaves the contract PAID if it was refused, and can then be requested again",
    function*({ pass, simulator }) {
      const { lender, reference, request } = yield* paidContract(simulator)
      yield* lender.refund(request)
      simulator.setRefundStatus("refused")
      yield* pass(10 * minute)
      assert.strictEqual((yield* lender.contract(reference)).status, "PAID")
      assert.strictEqual((yield* lender.refund(request)).status, "PAID")
      const again = { ...request, requested_at: "2026-12-01T16:00:00.000Z" as Timestamp }
      assert.strictEqual((yield* lender.refund(again)).status, "REFUND_PENDING")
      assert.strictEqual(simulator.debts()[0]?.reversed, 2)
    }
  )

  onQitech("is refused for good after the seven days, and for a settled debt", function*({ pass, simulator }) {
    const { lender, request } = yield* paidContract(simulator)
    yield* pass(9 * 24 * 60 * minute)
    const late = yield* Effect.flip(lender.refund(request))
    assert.deepStrictEqual(
      late._tag === "ExitRefused" ? late.detail : late._tag,
      "refund: status 400, COP000206"
    )
    simulator.setStatus("settled")
    assert.strictEqual((yield* Effect.flip(lender.refund(request)))._tag, "ExitRefused")
  })
})

describe("a cancellation at QI Tech", () => {
  const lookUp: LenderCancellation = { ...cancellation, reference: null }

  onQitech("finds a debt that appears late", function*({ pass, simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.setReadLag(2 * minute)
    simulator.injectFaults(/debt_fgts/, "LOSE")
    yield* Effect.flip(lender.submit(submission))
    const failure = yield* Effect.flip(lender.cancel(lookUp))
    assert.deepStrictEqual(
      failure._tag === "LenderUnavailable" ? failure.retry_after_ms : failure._tag,
      30_000
    )
    yield* pass(2 * minute)
    assert.strictEqual((yield* lender.cancel(lookUp))?.status, "CANCELLED")
    assert.strictEqual(simulator.debts()[0]?.status, "canceled_permanently")
  })

  onQitech("waits for an issue that was sent after it was requested", function*({ pass, simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    yield* pass(5 * minute)
    simulator.injectFaults(/debt_fgts/, "DROP")
    yield* Effect.flip(lender.submit(submission))
    assert.strictEqual((yield* Effect.flip(lender.cancel(lookUp)))._tag, "LenderUnavailable")
    yield* pass(5 * minute)
    assert.isNull(yield* lender.cancel(lookUp))
  })

  onQitech("is repeated in a momentary status, and while the debt is being paid", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    for (const status of ["signature_finished", "waiting_disbursement", "disbursing"]) {
      simulator.setStatus(status)
      const failure = yield* Effect.flip(lender.cancel({ ...cancellation, reference }))
      assert.strictEqual(failure._tag, "LenderUnavailable", status)
    }
    simulator.setStatus("signed")
    assert.strictEqual((yield* lender.cancel({ ...cancellation, reference }))?.status, "CANCELLED")
  })

  onQitech("is refused for good if the status allows it; payments are presented again", function*({ simulator }) {
    const { contract: { reference }, lender } = yield* submitted(simulator)
    simulator.sign()
    simulator.refuseCancel(true)
    assert.strictEqual((yield* Effect.flip(lender.cancel({ ...cancellation, reference })))._tag, "ExitRefused")
    simulator.refusePayment("disbursing_hour_closed")
    yield* deliver(simulator)
    assert.strictEqual((yield* lender.contract(reference)).status, "DISBURSING")
    assert.strictEqual(simulator.debts()[0]?.presented, 2)
  })
})

describe("a refused issue at QI Tech", () => {
  onQitech("is not INVALID while an earlier issue may still create the debt", function*({ pass, simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    simulator.setReadLag(2 * minute)
    simulator.injectFaults(/debt_fgts/, "LOSE", { status: 400, body: { code: "LEG000069", title: "mother_name" } })
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      assert.strictEqual((yield* Effect.flip(lender.submit(submission)))._tag, "LenderUnavailable")
    }
    yield* pass(2 * minute)
    assert.strictEqual((yield* lender.submit(submission)).status, "AWAITING_SIGNATURE")
    assert.strictEqual(simulator.debts().length, 1)
  })

  onQitech("that names no field is not INVALID in the first minutes", function*({ pass, simulator }) {
    const lender = yield* Lender
    const submission = submissionOf(yield* offered(simulator))
    const refusal = { status: 400, body: { code: "LEG000070", title: "" } }
    simulator.injectFaults(/debt_fgts/, refusal, refusal)
    assert.strictEqual((yield* Effect.flip(lender.submit(submission)))._tag, "LenderUnavailable")
    yield* pass(5 * minute)
    assert.strictEqual((yield* Effect.flip(lender.submit(submission)))._tag, "SubmissionInvalid")
  })
})
