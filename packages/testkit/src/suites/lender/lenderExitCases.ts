// Calls with different errors have one type here.
// @effect-diagnostics anyUnknownInErrorContext:off
import { Lender } from "@lastro/domain/lender"
import { type ContractSubmission, type LenderExits } from "@lastro/domain/loan"
import { currentTimestamp, type ProposalId, timestampOf } from "@lastro/domain/values"
import { assert } from "chai"
import { Clock, Effect, Result } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { type LenderCases, type LenderPlay, outcomesOf, playLender } from "./playLender.ts"

const reason = "CUSTOMER_REQUEST"

/** Builds the request to cancel or refund a contract. A cancellation can be without a reference. */
const exitOf = Effect.fnUntraced(function*<Reference extends string | null>(
  { proposal_id }: Pick<ContractSubmission, "proposal_id">,
  reference: Reference
) {
  return { proposal_id, reference, reason, requested_at: yield* currentTimestamp } as const
})

/** The time of a cancellation an hour ago. A lender can wait for a late submission, but not for an hour. */
const anHourAgo = Effect.map(Clock.currentTimeMillis, (now) => timestampOf(now - 3_600_000))

/** Checks that a request fails if the lender does not list it in `exits`. */
const checkMissing = <R>(exit: keyof LenderExits) => ({ lender }: LenderPlay<R>) =>
  Effect.gen(function*() {
    if ((yield* lender.exits)[exit]) return
    const request = yield* exitOf({ proposal_id: (yield* freshId) as ProposalId }, "unknown/1")
    const calls = {
      cancel: Effect.flip(lender.cancel(request)),
      refund: Effect.flip(lender.refund(request)),
      signature_link: Effect.flip(lender.signatureLink("unknown/1"))
    }
    assert.strictEqual((yield* calls[exit])._tag, "LenderUnsupported")
  })

/** Contract cases for Lender: cancellations, refunds and new signature links. */
export const lenderExitCases: LenderCases = (fixtures) => (it) => {
  const outcome = outcomesOf(it, fixtures)
  it("`knownExits` returns the same as `exits` after `exits` has answered", function*() {
    const { lender } = yield* playLender(fixtures, fixtures.priced)
    const exits = yield* lender.exits
    if (lender.knownExits !== undefined) assert.deepStrictEqual(yield* lender.knownExits, exits)
  })

  outcome(
    "cancelled",
    "`cancel` cancels a contract before its payment, however often it is called",
    function*({ follow, lender, submitNew }) {
      assert.isTrue((yield* lender.exits).cancel)
      const { created, submission } = yield* submitNew()
      const request = yield* exitOf(submission, created.reference)
      const contract = yield* lender.cancel(request)
      if (contract === null) return assert.fail("the lender has no contract")
      const { proposal_id } = submission
      const ended = yield* follow({ proposal_id, contract }, ["CANCELLED"])
      assert.strictEqual(ended.status, "CANCELLED")
      assert.strictEqual((yield* lender.cancel(request))?.status, "CANCELLED")
      assert.strictEqual((yield* lender.contract(ended.reference)).status, "CANCELLED")
    },
    checkMissing("cancel")
  )

  outcome(
    ["unsubmitted", fixtures.cancelled],
    "`cancel` returns null for a proposal that was never submitted",
    function*({ lender, newSubmission }) {
      const request = { ...(yield* exitOf(yield* newSubmission(), null)), requested_at: yield* anHourAgo }
      assert.isNull(yield* lender.cancel(request))
      assert.isNull(yield* lender.cancel(request))
    }
  )

  outcome(
    "cancelled_by_proposal",
    "`cancel` without a reference finds the contract by its proposal_id and cancels it",
    function*({ follow, lender, submitNew }) {
      const { submission } = yield* submitNew()
      const contract = yield* lender.cancel(yield* exitOf(submission, null))
      if (contract === null) return assert.fail("the lender does not find the contract")
      yield* follow({ proposal_id: submission.proposal_id, contract }, ["CANCELLED"])
    }
  )

  outcome(
    "cancelled_before_submission",
    "after `cancel` returned null, `submit` creates no contract that is still to be paid",
    function*({ lender, newSubmission }) {
      const submission = yield* newSubmission()
      assert.isNull(yield* lender.cancel({ ...(yield* exitOf(submission, null)), requested_at: yield* anHourAgo }))
      const created = yield* Effect.result(lender.submit(submission))
      if (Result.isSuccess(created)) assert.include(["CANCELLED", "REJECTED"], created.success.status)
    }
  )

  outcome(
    "exit_refused",
    "`cancel`, `refund` and `signatureLink` fail with ExitRefused if the lender finally refuses the exit of a contract",
    function*({ lender, submitNew }, { exits, refuse }) {
      assert.isNotEmpty(exits)
      const { created, submission } = yield* submitNew()
      const { reference } = created
      const calls = {
        cancel: lender.cancel(yield* exitOf(submission, reference)),
        refund: lender.refund(yield* exitOf(submission, reference)),
        signature_link: lender.signatureLink(reference)
      }
      for (const exit of exits) {
        yield* refuse
        const call: Effect.Effect<unknown, { readonly _tag: string }> = calls[exit]
        assert.strictEqual((yield* Effect.flip(call))._tag, "ExitRefused", exit)
      }
      assert.strictEqual((yield* lender.contract(reference)).status, created.status)
    }
  )

  outcome(
    "paid_before_cancellation",
    "`cancel` returns PAID if the payment came before the cancellation",
    function*({ follow, lender, submitNew }) {
      const { created, submission } = yield* submitNew()
      const contract = yield* lender.cancel(yield* exitOf(submission, created.reference))
      if (contract === null) return assert.fail("the lender has no contract")
      const paid = yield* follow({ proposal_id: submission.proposal_id, contract }, ["PAID"])
      assert.isNull(paid.rejection)
    }
  )

  outcome(
    "refunded",
    "`refund` returns how the customer pays a paid contract back, however often it is called; then the contract is REFUNDED",
    function*({ follow, lender, reach }) {
      assert.isTrue((yield* lender.exits).refund)
      const { contract: paid, submission } = yield* reach("PAID")
      const request = yield* exitOf(submission, paid.reference)
      const contract = yield* lender.refund(request)
      assert.include(["REFUND_PENDING", "REFUNDED"], contract.status)
      if (contract.status === "REFUND_PENDING") {
        assert.isNotEmpty(contract.refund?.pix_copy_paste)
        assert.isAbove(contract.refund?.amount ?? 0, 0)
        assert.isAbove(contract.refund?.expires_at.localeCompare(request.requested_at) ?? 0, 0)
      }
      assert.strictEqual((yield* lender.refund(request)).reference, contract.reference)
      yield* follow({ proposal_id: submission.proposal_id, contract }, ["REFUNDED"])
    },
    checkMissing("refund")
  )

  outcome(
    "refund_expired",
    "`contract` returns PAID again when the customer does not pay a refund in time",
    function*({ follow, lender, reach }) {
      const { contract: paid, submission } = yield* reach("PAID")
      const contract = yield* lender.refund(yield* exitOf(submission, paid.reference))
      assert.include(["REFUND_PENDING", "PAID"], contract.status)
      yield* follow({ proposal_id: submission.proposal_id, contract }, ["PAID"])
    }
  )

  outcome(
    "signature_link",
    "`signatureLink` returns a link for a contract that is AWAITING_SIGNATURE",
    function*({ lender, reach }) {
      assert.isTrue((yield* lender.exits).signature_link)
      const { contract } = yield* reach("AWAITING_SIGNATURE")
      const renewed = yield* lender.signatureLink(contract.reference)
      assert.strictEqual(renewed.status, "AWAITING_SIGNATURE")
      assert.match(renewed.signature_url ?? "", /^https?:/)
    },
    checkMissing("signature_link")
  )
}

/** Contract cases for Lender: callbacks. */
export const lenderCallbackCases: LenderCases = (fixtures) => (it) => {
  const { callback } = fixtures
  const empty = { method: "POST", path: "/", headers: {}, body: new Uint8Array() }
  it("`callback` refuses a callback without any proof that it comes from the lender", function*() {
    const refused = yield* Effect.flip((yield* Lender).callback(empty))
    assert.strictEqual(refused._tag, "CallbackRefused")
  })
  if ("impossible" in callback) {
    it(`declared impossible: callback: ${callback.impossible}`, () => Effect.void)
    return
  }
  it("`callback` returns the quote or contract that an authentic callback names, and nothing for an unknown type", function*() {
    if (callback.prepare !== undefined) yield* callback.prepare
    const lender = yield* Lender
    assert.deepStrictEqual(yield* lender.callback(yield* callback.authentic), callback.targets)
    assert.deepStrictEqual(yield* lender.callback(yield* callback.unknown), [])
  })
  it("`callback` refuses a forged callback", function*() {
    if (callback.prepare !== undefined) yield* callback.prepare
    const lender = yield* Lender
    const forged = yield* callback.forged
    assert.isNotEmpty(forged)
    for (const callback of forged) {
      assert.strictEqual((yield* Effect.flip(lender.callback(callback)))._tag, "CallbackRefused")
    }
  })
}
