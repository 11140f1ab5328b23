import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { latestQuote } from "../../src/loan/Application.ts"
import { ApplicationStatus, applicationStatus, isUnfinished } from "../../src/loan/ApplicationStatus.ts"
import { type LoanEvent } from "../../src/loan/LoanEvent.ts"
import { NextAction, nextAction } from "../../src/loan/nextAction.ts"
import { OfferStatus, offerStatus, QuoteStatus, quoteStatus } from "../../src/loan/OfferStatus.ts"
import { isExpired } from "../../src/offer/offerExpiry.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  hourMs,
  msAfter,
  noon,
  offerId,
  priceQuote,
  quotedApplication,
  requote
} from "./examples.ts"
import { forHistories } from "./randomHistories.ts"
import { states } from "./states.ts"

/** The status by the events alone, read from the last to the first, as a person would. */
const statusByEvents = (events: ReadonlyArray<LoanEvent>, at: Timestamp): ApplicationStatus => {
  for (const event of events.toReversed()) {
    switch (event._tag) {
      case "ApplicationCancelled":
      case "ContractCancelled":
      case "ContractRefunded":
      case "ContractRejected":
      case "PaymentReversed":
      case "ProposalExpired":
        return "CANCELLED"
      case "CustomerPaid":
      case "RefundNotPaid":
      case "WithdrawalRefused":
        return "CONTRACTED"
      case "RefundOffered":
      case "WithdrawalRequested":
        return "REFUNDING"
      case "CancellationRefused":
      case "CancellationRequested":
      case "ContractSigned":
      case "ContractSubmitted":
      case "DataCorrected":
      case "DisbursementCorrected":
      case "GuaranteeConfirmed":
      case "OfferAccepted":
      case "PaymentFailed":
      case "PaymentRetried":
      case "ReferenceConflicted":
      case "SignatureLinkRefused":
      case "SignatureLinkRenewed":
      case "SignatureLinkRequested":
      case "SignatureRequested":
      case "SubmissionRefused":
        return "CONTRACTING"
      case "QuoteRequested":
        return "QUOTING"
      case "QuoteFailed":
        return "QUOTE_FAILED"
      case "QuoteRejected":
        return "REJECTED"
      case "QuoteCompleted":
        return event.offers.some(({ expires_at }) => at < expires_at) ? "QUOTED" : "EXPIRED"
      // Neither changes the status.
      case "ContractUpdated":
      case "KycSubmitted":
    }
  }
  return "QUOTING"
}

/** Every instant at which something may change, and those beside it. */
const instants = (offers: ReadonlyArray<{ readonly expires_at: Timestamp }>, at: Timestamp) => [
  at,
  ...offers.flatMap(({ expires_at }) => [-1, 0, 1].map((by) => msAfter(by, expires_at)))
]

describe("statuses", () => {
  it("FGTS-04 FGTS-09 how an application stands is what its events and the time say, and every status is met", () => {
    // Each status and next action but one, which `runQuote.test.ts` meets, is in the table of states.
    const met = new Set<string>(["WAIT_FOR_SETTLEMENT"])
    for (const { application, at } of Object.values(states)) {
      for (const time of instants(latestQuote(application).offers, at)) {
        met.add(applicationStatus(application, time)).add(nextAction(application, time))
      }
    }
    forHistories((played) => {
      const events: Array<LoanEvent> = []
      for (const { after, at, decided } of played) {
        events.push(...Result.getOrElse(decided, (): ReadonlyArray<LoanEvent> => []))
        for (const time of instants(latestQuote(after).offers, at)) {
          const status = applicationStatus(after, time)
          assert.strictEqual(status, statusByEvents(events, time))
          if (status === "QUOTED") {
            assert.include(["SUBMIT_KYC", "ACCEPT_OFFER", "WAIT_FOR_SETTLEMENT"], nextAction(after, time))
          }
        }
      }
    })
    assert.deepStrictEqual([...met].toSorted(), [...ApplicationStatus.literals, ...NextAction.literals].toSorted())
  })

  it("FGTS-04 QUOTED is an available offer of the latest quote, and nothing else is", () => {
    forHistories((played) => {
      for (const { after, at } of played) {
        for (const time of instants(latestQuote(after).offers, at)) {
          const statuses = after.quotes.flatMap((quote) =>
            quote.offers.map((offer) => offerStatus(after, quote, offer, time))
          )
          assert.strictEqual(applicationStatus(after, time) === "QUOTED", statuses.includes("AVAILABLE"))
        }
      }
    })
  })

  it("FGTS-05 work is unfinished while a quote is pending or a contract is under way, whatever the time", () => {
    const unfinished = Object.entries(states).filter(([, { application }]) => isUnfinished(application))
    assert.deepStrictEqual(unfinished.map(([name]) => name), [
      "QUOTING",
      "QUOTING, slow lender",
      "SUBMITTING, not started",
      "SUBMITTING, corrected too late",
      "SUBMITTING",
      "SUBMITTING, reference of another",
      "CORRECTION_NEEDED",
      "CORRECTION_NEEDED, no field named",
      "CORRECTION_NEEDED, expired",
      "SUBMITTING, own contract after that of another",
      "SUBMITTING, reference of another, expired",
      "AWAITING_SIGNATURE",
      "AWAITING_SIGNATURE, new link requested",
      "GUARANTEE_PENDING",
      "DISBURSING",
      "DISBURSEMENT_FAILED",
      "CANCELLING",
      "CANCELLING before the signature",
      "CANCELLING before the payment",
      "CANCELLING after a failed payment",
      "CANCELLING, submission unanswered",
      "REFUND_PENDING, unanswered",
      "REFUND_PENDING"
    ])
    for (const { application, at } of Object.values(states)) {
      assert.strictEqual(
        isUnfinished(application),
        ["QUOTING", "CONTRACTING", "REFUNDING"].includes(applicationStatus(application, at))
      )
    }
  })

  it("FGTS-06 T43 an offer is expired from the instant of its expiry on", () => {
    const end = msAfter(24 * hourMs)
    assert.deepStrictEqual(
      [-1, 0, 1].map((by) => isExpired({ expires_at: end }, msAfter(by, end))),
      [false, true, true]
    )
  })

  it("FGTS-07 the statuses of an offer, in the order in which they come before each other", () => {
    const [end, late] = [msAfter(24 * hourMs), msAfter(48 * hourMs)]
    const statuses = (application: typeof quotedApplication extends () => infer A ? A : never, at: Timestamp) =>
      application.quotes.map((quote) => quote.offers.map((offer) => offerStatus(application, quote, offer, at)))
    const once = quotedApplication()
    assert.deepStrictEqual(statuses(once, noon), [["AVAILABLE", "AVAILABLE"]])
    assert.deepStrictEqual(statuses(once, msAfter(-1, end)), [["AVAILABLE", "AVAILABLE"]])
    assert.deepStrictEqual(statuses(once, end), [["EXPIRED", "EXPIRED"]])
    const accepted = applyCommands(once, accept(offerId(1, 2)))
    assert.deepStrictEqual(statuses(accepted, noon), [["DECLINED", "ACCEPTED"]])
    assert.deepStrictEqual(statuses(accepted, late), [["DECLINED", "ACCEPTED"]])
    const again = applyCommands(once, requote(2, end), priceQuote(2, end), accept(offerId(2, 1), end))
    assert.deepStrictEqual(statuses(again, late), [["SUPERSEDED", "SUPERSEDED"], ["ACCEPTED", "DECLINED"]])
    assert.strictEqual(OfferStatus.literals.length, 5)
  })

  it("FGTS-08 a quote is superseded by a newer one, whatever came of it", () => {
    const outcomes = Object.values(states).map(({ application }) => application)
    for (const application of outcomes) {
      assert.deepStrictEqual(application.quotes.map((quote) => quoteStatus(application, quote)), [
        "SUPERSEDED",
        latestQuote(application).outcome
      ])
    }
    const met = new Set(outcomes.flatMap((one) => one.quotes.map((quote) => quoteStatus(one, quote))))
    assert.deepStrictEqual([...met].toSorted(), QuoteStatus.literals.toSorted())
  })
})
