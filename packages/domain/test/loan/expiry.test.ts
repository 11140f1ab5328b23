import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { acceptedOffer, type Application } from "../../src/loan/Application.ts"
import { pledgedDueDates } from "../../src/loan/pledges.ts"
import { rejectionOf } from "../../src/loan/Proposal.ts"
import { correctionTimeMs, proposalExpiresAt } from "../../src/loan/proposalExpiry.ts"
import { invisibleEvents, visibleVersion } from "../../src/loan/visibleVersion.ts"
import { whyNotContractable } from "../../src/offer/whyNotContractable.ts"
import { saoPauloDate, saoPauloMidnight } from "../../src/values/CalendarDate.ts"
import { percent } from "../../src/values/Percent.ts"
import { millisOf, type Timestamp } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  completeKyc,
  contractingApplication,
  customer,
  decideOn,
  eventsOf,
  hourMs,
  lenderOffer,
  msAfter,
  newApplication,
  noon,
  offerId,
  priceQuote,
  quotedApplication,
  refuseSubmission,
  returnContractOfAnother,
  startSubmission,
  submitKyc,
  updateContract
} from "./examples.ts"
import { forHistories } from "./randomHistories.ts"

const dayMs = 24 * hourMs
const { birth_date } = customer
const started = applyCommands(contractingApplication(), startSubmission())
const refused = applyCommands(started, refuseSubmission(["phone"]))
const conflicted = applyCommands(started, returnContractOfAnother())
const end = msAfter(correctionTimeMs)
const codeOf = ({ proposal }: Application) => proposal === null ? undefined : rejectionOf(proposal)?.code

/** The midnight at which the first instalment of the examples falls due. */
const firstDue = saoPauloMidnight(acceptedOffer(started)?.terms.installments[0]?.due_date ?? ("" as never))

const startedAt = (at: Timestamp, amounts?: ReadonlyArray<number>): Application =>
  applyCommands(
    newApplication(at),
    priceQuote(1, at, [lenderOffer("standard", { at, ...(amounts === undefined ? {} : { amounts }) })]),
    submitKyc(completeKyc, at),
    accept(offerId(1, 1), at),
    startSubmission(at)
  )

describe("a proposal that only a person can continue", () => {
  it("FGTS-54 expires seven days after the refusal of its data or after the conflict, and no other proposal does", () => {
    assert.strictEqual(proposalExpiresAt(refused), end)
    assert.strictEqual(proposalExpiresAt(conflicted), end)
    for (const status of ["AWAITING_SIGNATURE", "DISBURSEMENT_FAILED", "PAID", "CANCELLED"] as const) {
      assert.isNull(proposalExpiresAt(applyCommands(started, updateContract(status))))
    }
    for (const one of [quotedApplication(), contractingApplication(), started]) assert.isNull(proposalExpiresAt(one))
  })

  it("FGTS-54 a partial correction does not prolong it, and a further refusal does", () => {
    const two = applyCommands(started, refuseSubmission(["phone", "email"]))
    const half = applyCommands(two, submitKyc(completeKyc, msAfter(dayMs), false, ["phone"]))
    assert.strictEqual(proposalExpiresAt(half), end)
    const again = applyCommands(
      half,
      submitKyc(completeKyc, msAfter(2 * dayMs), false, ["email"]),
      startSubmission(msAfter(2 * dayMs)),
      refuseSubmission(["phone"], msAfter(3 * dayMs))
    )
    assert.strictEqual(proposalExpiresAt(again), msAfter(3 * dayMs + correctionTimeMs))
  })

  it("FGTS-54 expires at the midnight at which its first instalment falls due, or at which a policy forbids it", () => {
    const late = msAfter(-dayMs, firstDue)
    assert.strictEqual(proposalExpiresAt(applyCommands(startedAt(late), refuseSubmission(["phone"], late))), firstDue)
    const newPolicy = "2026-11-01T03:00:00.000Z" as Timestamp
    const before = msAfter(-2 * dayMs, newPolicy)
    const four = applyCommands(
      startedAt(before, [300_00, 240_00, 180_00, 120_00]),
      refuseSubmission(["phone"], before)
    )
    assert.strictEqual(proposalExpiresAt(four), newPolicy)
    const three = applyCommands(startedAt(before), refuseSubmission(["phone"], before))
    assert.strictEqual(proposalExpiresAt(three), msAfter(correctionTimeMs, before))
  })

  it("PROP-15 is CANCELLED from its expiry on, with a code of its own, and pledges nothing any more", () => {
    for (const [application, code] of [[refused, "CORRECTION_EXPIRED"], [conflicted, "CONTRACT_CONFLICT"]] as const) {
      assert.deepStrictEqual(eventsOf(application, { _tag: "ExpireProposal", at: msAfter(-1, end) }), [])
      const after = applyCommands(application, { _tag: "ExpireProposal", at: end })
      assert.strictEqual(codeOf(after), code)
      assert.deepInclude(after.proposal?.status_history.at(-1), { status: "CANCELLED", reason: code })
      assert.isNotEmpty(pledgedDueDates(application, end))
      assert.isEmpty(pledgedDueDates(after, end))
    }
  })

  it("KYC-02 FGTS-28 can be corrected until it expires, and is locked from then on", () => {
    const decided = (at: Timestamp) => decideOn(refused, submitKyc(completeKyc, at, false, ["phone"]))
    assert.isTrue(Result.isSuccess(decided(msAfter(-1, end))))
    const locked = decided(end)
    assert.strictEqual(Result.isFailure(locked) ? locked.failure._tag : "", "KycLocked")
  })

  it("FGTS-54 PROP-15 every such proposal of a history ends at its expiry, and never before", () => {
    let seen = 0
    forHistories((played) => {
      let conflicted = noon
      for (const { after, decided } of played) {
        const events = Result.getOrElse(decided, () => [])
        conflicted = events.find(({ _tag }) => _tag === "ReferenceConflicted")?.at ?? conflicted
        const expires_at = proposalExpiresAt(after)
        if (expires_at === null) continue
        seen += 1
        const refused = after.proposal?.status_history.at(-1)?.at ?? noon
        const since = after.proposal?.status === "SUBMITTING" ? conflicted : refused
        assert.isAtMost(millisOf(expires_at), millisOf(since) + correctionTimeMs)
        const early = msAfter(-1, expires_at)
        assert.deepStrictEqual(eventsOf(after, { _tag: "ExpireProposal", at: early }), [])
        const ended = applyCommands(after, { _tag: "ExpireProposal", at: expires_at })
        assert.strictEqual(ended.proposal?.status, "CANCELLED")
        assert.isNull(proposalExpiresAt(ended))
      }
    })
    assert.isAbove(seen, 30)
  })
})

describe("a submission with new data", () => {
  const corrected = applyCommands(refused, submitKyc(completeKyc, msAfter(1), false, ["phone"]))

  it("FGTS-55 an offer is contracted before its first instalment falls due, within the policy and the rate limit", () => {
    const offer = acceptedOffer(started) ?? assert.fail("no offer")
    const [first] = offer.terms.installments
    fc.assert(
      fc.property(
        fc.integer({ min: -3 * dayMs, max: 3 * dayMs }),
        fc.option(fc.integer({ min: 100, max: 300 }).map((rate) => percent(rate / 100))),
        (by, rate) => {
          const at = msAfter(by, firstDue)
          const expected = !(saoPauloDate(at) < (first?.due_date ?? ""))
            ? "EXPIRED"
            : rate === null || offer.terms.monthly_rate <= rate
            ? undefined
            : "POLICY_CHANGED"
          assert.strictEqual(whyNotContractable(offer, { at, birth_date, max_monthly_rate: rate }), expected)
        }
      )
    )
    const four = lenderOffer("four", {
      at: "2026-10-31T12:00:00.000Z" as Timestamp,
      amounts: [4, 3, 2, 1].map((n) => n * 100_00)
    })
    const reasonAt = (at: string) => whyNotContractable(four, { at: at as Timestamp, birth_date })
    assert.isUndefined(reasonAt("2026-11-01T02:59:59.999Z"))
    assert.strictEqual(reasonAt("2026-11-01T03:00:00.000Z"), "POLICY_CHANGED")
  })

  it("FGTS-17 FGTS-55 an offer above the operator's maximum rate cannot be accepted any more", () => {
    const accepting = (rate: number) =>
      decideOn(quotedApplication(), { ...accept(offerId(1, 1)), max_monthly_rate: percent(rate) })
    assert.isTrue(Result.isSuccess(accepting(1.8)))
    const decided = accepting(1.79)
    assert.deepInclude(Result.isFailure(decided) ? decided.failure : {}, { reason: "POLICY_CHANGED" })
  })

  it("PROP-10 FGTS-55 is not started if the offer can no longer be contracted: the proposal is CANCELLED with OFFER_EXPIRED", () => {
    const late = applyCommands(corrected, startSubmission(firstDue))
    assert.deepInclude(late.proposal, { status: "CANCELLED" as const, contract: null })
    assert.strictEqual(codeOf(late), "OFFER_EXPIRED")
    const expensive = applyCommands(corrected, { ...startSubmission(), max_monthly_rate: percent(1.79) })
    assert.strictEqual(codeOf(expensive), "OFFER_EXPIRED")
    const lawful = applyCommands(corrected, { ...startSubmission(), max_monthly_rate: percent(1.8) })
    assert.deepInclude(lawful.proposal, { status: "SUBMITTING", invisible_events: 2 })
  })

  it("PROP-10 FGTS-55 T50 neither a first submission is started late, nor one that the lender did not receive", () => {
    const last = msAfter(-1, firstDue)
    const unreceived = applyCommands(started, {
      _tag: "RecordNotReceived",
      at: noon,
      began_at: noon,
      submitted_at: started.proposal?.submitted_at ?? noon
    })
    assert.isNull(unreceived.proposal?.submitted_at)
    for (const waiting of [contractingApplication(), unreceived]) {
      assert.strictEqual(applyCommands(waiting, startSubmission(last)).proposal?.status, "SUBMITTING")
      assert.strictEqual(codeOf(applyCommands(waiting, startSubmission(firstDue))), "OFFER_EXPIRED")
    }
    const accepted_at = "2026-10-31T12:00:00.000Z" as Timestamp
    const five = applyCommands(
      newApplication(accepted_at),
      priceQuote(1, accepted_at, [
        lenderOffer("five", { at: accepted_at, amounts: [5, 4, 3, 2, 1].map((n) => n * 100_00) })
      ]),
      submitKyc(completeKyc, accepted_at),
      accept(offerId(1, 1), accepted_at)
    )
    const startedOn = (at: string) => applyCommands(five, startSubmission(at as Timestamp))
    assert.isString(startedOn("2026-11-01T02:59:59.999Z").proposal?.submitted_at)
    assert.strictEqual(codeOf(startedOn("2026-11-01T03:00:00.000Z")), "OFFER_EXPIRED")
  })

  it("PROP-10 a submission that has started stays as it is, because the lender may have the contract", () => {
    const resumed = applyCommands(corrected, startSubmission())
    assert.strictEqual(applyCommands(resumed, startSubmission(firstDue)), resumed)
  })

  it("PROP-16 its start is counted once, and changes neither the visible version nor `updated_at`", () => {
    const resumed = applyCommands(corrected, startSubmission(msAfter(2)))
    assert.strictEqual(invisibleEvents(resumed), 2)
    assert.strictEqual(resumed.updated_at, corrected.updated_at)
    assert.strictEqual(resumed.version, corrected.version + 1)
    assert.strictEqual(visibleVersion(resumed, msAfter(2)), visibleVersion(corrected, msAfter(2)))
  })
})
