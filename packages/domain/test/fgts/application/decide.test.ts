import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type ApplicationEvent } from "../../../src/fgts/application/ApplicationEvent.ts"
import { applicationStatus } from "../../../src/fgts/application/ApplicationStatus.ts"
import { type ApplicationRefusal, decide } from "../../../src/fgts/application/decide.ts"
import { nextAction } from "../../../src/fgts/application/nextAction.ts"
import { commands, states } from "./states.ts"

type Expected = Readonly<Record<keyof typeof commands | "status" | "next_action", string>>

const none = "-"
const unavailable = { "accept": "OfferNotAvailable EXPIRED", "accept sibling": "OfferNotAvailable EXPIRED" }
const late = { "offers": none, "refusal": none, "failure": none, "superseded offers": none }
const noContract = {
  "to AWAITING_SIGNATURE": none,
  "to GUARANTEE_PENDING": none,
  "to DISBURSING": none,
  "to DISBURSEMENT_FAILED": none,
  "to PAID": none,
  "to CANCELLED": none,
  "to REJECTED": none
}
const always = { "accept superseded": "OfferNotAvailable SUPERSEDED", "accept unknown": "NotFound" }

/** Before an offer is accepted; where the second quote has no offer, there is none to name. */
const open = {
  ...always,
  ...late,
  ...noContract,
  "accept": "NotFound",
  "accept sibling": "NotFound",
  "kyc changed": "KycSubmitted",
  "kyc in part": "KycSubmitted",
  "kyc same": none,
  "kyc same, where to pay": none,
  "kyc other account": "KycSubmitted",
  "kyc no account": "KycSubmitted"
}

/** After an offer was accepted. */
const bound = {
  ...always,
  ...late,
  "re-quote": "ApplicationNotQuotable",
  "accept": none,
  "accept sibling": "OfferNotAvailable DECLINED",
  "kyc changed": "KycLocked",
  "kyc in part": "KycLocked",
  "kyc same": "KycLocked",
  "kyc same, where to pay": "KycLocked",
  "kyc other account": "KycLocked",
  "kyc no account": "KycLocked",
  "to CANCELLED": "CANCELLED",
  "to REJECTED": "REJECTED"
}
const over = { ...bound, ...noContract, "next_action": "NONE" }

const table: Readonly<Record<keyof typeof states, Expected>> = {
  "QUOTING": {
    ...open,
    "status": "QUOTING",
    "next_action": "WAIT",
    "re-quote": "QuoteInProgress",
    "offers": "QuoteCompleted",
    "refusal": "QuoteRefused REJECTED",
    "failure": "QuoteRefused FAILED"
  },
  "QUOTED, KYC incomplete": {
    ...open,
    "status": "QUOTED",
    "next_action": "SUBMIT_KYC",
    "re-quote": "QuoteRequested",
    "accept": "KycIncomplete phone, pix.type, pix.key",
    "accept sibling": "KycIncomplete phone, pix.type, pix.key"
  },
  "QUOTED, KYC complete": {
    ...open,
    "status": "QUOTED",
    "next_action": "ACCEPT_OFFER",
    "re-quote": "QuoteRequested",
    "accept": "OfferAccepted",
    "accept sibling": "OfferAccepted"
  },
  "EXPIRED": {
    ...open,
    ...unavailable,
    "status": "EXPIRED",
    "next_action": "REQUOTE",
    "re-quote": "QuoteRequested"
  },
  "QUOTE_FAILED": { ...open, "status": "QUOTE_FAILED", "next_action": "REQUOTE", "re-quote": "QuoteRequested" },
  "REJECTED, retryable": { ...open, "status": "REJECTED", "next_action": "REQUOTE", "re-quote": "QuoteRequested" },
  "REJECTED, retry_at past": { ...open, "status": "REJECTED", "next_action": "REQUOTE", "re-quote": "QuoteRequested" },
  "REJECTED, retry_at ahead": {
    ...open,
    "status": "REJECTED",
    "next_action": "NONE",
    "re-quote": "ApplicationNotQuotable"
  },
  "REJECTED, final": { ...open, "status": "REJECTED", "next_action": "NONE", "re-quote": "ApplicationNotQuotable" },
  "SUBMITTING": {
    ...bound,
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to AWAITING_SIGNATURE": "AWAITING_SIGNATURE",
    "to GUARANTEE_PENDING": "AWAITING_SIGNATURE, GUARANTEE_PENDING",
    "to DISBURSING": "AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING",
    "to DISBURSEMENT_FAILED": "AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, DISBURSEMENT_FAILED",
    "to PAID": "AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, PAID"
  },
  "AWAITING_SIGNATURE": {
    ...bound,
    "status": "CONTRACTING",
    "next_action": "SIGN",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": "GUARANTEE_PENDING",
    "to DISBURSING": "GUARANTEE_PENDING, DISBURSING",
    "to DISBURSEMENT_FAILED": "GUARANTEE_PENDING, DISBURSING, DISBURSEMENT_FAILED",
    "to PAID": "GUARANTEE_PENDING, DISBURSING, PAID"
  },
  "GUARANTEE_PENDING": {
    ...bound,
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": none,
    "to DISBURSING": "DISBURSING",
    "to DISBURSEMENT_FAILED": "DISBURSING, DISBURSEMENT_FAILED",
    "to PAID": "DISBURSING, PAID"
  },
  "DISBURSING": {
    ...bound,
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": none,
    "to DISBURSING": none,
    "to DISBURSEMENT_FAILED": "DISBURSEMENT_FAILED",
    "to PAID": "PAID"
  },
  "DISBURSEMENT_FAILED": {
    ...bound,
    "status": "CONTRACTING",
    "next_action": "FIX_DISBURSEMENT",
    "kyc same": none,
    "kyc same, where to pay": "DisbursementResubmitted",
    "kyc other account": "DisbursementResubmitted",
    "kyc no account": "KycIncomplete pix.type, pix.key",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": none,
    "to DISBURSING": "DISBURSING",
    "to DISBURSEMENT_FAILED": none,
    "to PAID": "DISBURSING, PAID"
  },
  "PAID": { ...over, "status": "CONTRACTED" },
  "CANCELLED": { ...over, "status": "CANCELLED" },
  "REJECTED by the lender": { ...over, "status": "CANCELLED" }
}

const told = (event: ApplicationEvent): string =>
  event._tag === "ProposalMoved"
    ? event.status
    : event._tag === "QuoteRefused"
    ? `${event._tag} ${event.outcome}`
    : event._tag

const refusal = (refused: ApplicationRefusal): string =>
  refused._tag === "OfferNotAvailable"
    ? `${refused._tag} ${refused.reason}`
    : refused._tag === "KycIncomplete"
    ? `${refused._tag} ${refused.missing.join(", ")}`
    : refused._tag

/** What comes of a command: events, or the refusal. */
const outcome = (decided: Result.Result<ReadonlyArray<ApplicationEvent>, ApplicationRefusal>): string =>
  Result.match(decided, {
    onSuccess: (events) => events.length === 0 ? none : events.map(told).join(", "),
    onFailure: refusal
  })

describe("decide", () => {
  it("FGTS-04 FGTS-09 FGTS-11 FGTS-12 FGTS-13 FGTS-17 FGTS-19 KYC-02 T40 T42 T46 every command in every state", () => {
    const found = Object.entries(states).map(([name, state]) => [name, {
      ...Object.fromEntries(
        Object.entries(commands).map(([command, make]) => [command, outcome(decide(make(state), state.application))])
      ),
      status: applicationStatus(state.application, state.at),
      next_action: nextAction(state.application, state.at)
    }])
    assert.deepStrictEqual(Object.fromEntries(found), table)
  })
})
