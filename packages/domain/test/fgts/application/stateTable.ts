import { Result } from "effect"
import { type ApplicationEvent } from "../../../src/fgts/application/ApplicationEvent.ts"
import { applicationStatus } from "../../../src/fgts/application/ApplicationStatus.ts"
import { type ApplicationRefusal, decideApplication } from "../../../src/fgts/application/decide.ts"
import { nextAction } from "../../../src/fgts/application/nextAction.ts"
import { type CommandName, commands, type State, type StateName } from "./states.ts"

/** One answer per command: the events, the refusal, or `-` when nothing happens. */
export type Answers = Readonly<Record<CommandName | "status" | "next_action", string>>

/** The answer to a command that succeeds without an event. */
export const none = "-"
const unavailable = { "accept": "OfferNotAvailable EXPIRED", "accept sibling": "OfferNotAvailable EXPIRED" }
const late = { "offers": none, "refusal": none, "failure": none, "offers for the first quote": none }
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

/** Before an offer is accepted. Without offers in the second quote, both offer ids are unknown. */
const open = {
  ...always,
  ...late,
  ...noContract,
  "accept": "NotFound",
  "accept sibling": "NotFound",
  "kyc changed": "KycSubmitted",
  "kyc partial": "KycSubmitted",
  "kyc same": none,
  "kyc same account": none,
  "kyc other account": "KycSubmitted",
  "kyc no account": "KycSubmitted"
}

/** After an offer was accepted. */
const accepted = {
  ...always,
  ...late,
  "re-quote": "ApplicationNotQuotable",
  "accept": none,
  "accept sibling": "OfferNotAvailable DECLINED",
  "kyc changed": "KycLocked",
  "kyc partial": "KycLocked",
  "kyc same": "KycLocked",
  "kyc same account": "KycLocked",
  "kyc other account": "KycLocked",
  "kyc no account": "KycLocked",
  "to CANCELLED": "CANCELLED",
  "to REJECTED": "REJECTED"
}
const final = { ...accepted, ...noContract, "next_action": "NONE" }

/** The expected answer of every state to every command. */
export const stateTable: Readonly<Record<StateName, Answers>> = {
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
  "QUOTED, sibling expired": {
    ...open,
    "status": "QUOTED",
    "next_action": "ACCEPT_OFFER",
    "re-quote": "QuoteRequested",
    "accept": "OfferAccepted",
    "accept sibling": "OfferNotAvailable EXPIRED"
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
    ...accepted,
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to AWAITING_SIGNATURE": "AWAITING_SIGNATURE",
    "to GUARANTEE_PENDING": "AWAITING_SIGNATURE, GUARANTEE_PENDING",
    "to DISBURSING": "AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING",
    "to DISBURSEMENT_FAILED": "AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, DISBURSEMENT_FAILED",
    "to PAID": "AWAITING_SIGNATURE, GUARANTEE_PENDING, DISBURSING, PAID"
  },
  "AWAITING_SIGNATURE": {
    ...accepted,
    "status": "CONTRACTING",
    "next_action": "SIGN",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": "GUARANTEE_PENDING",
    "to DISBURSING": "GUARANTEE_PENDING, DISBURSING",
    "to DISBURSEMENT_FAILED": "GUARANTEE_PENDING, DISBURSING, DISBURSEMENT_FAILED",
    "to PAID": "GUARANTEE_PENDING, DISBURSING, PAID"
  },
  "GUARANTEE_PENDING": {
    ...accepted,
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": none,
    "to DISBURSING": "DISBURSING",
    "to DISBURSEMENT_FAILED": "DISBURSING, DISBURSEMENT_FAILED",
    "to PAID": "DISBURSING, PAID"
  },
  "DISBURSING": {
    ...accepted,
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": none,
    "to DISBURSING": none,
    "to DISBURSEMENT_FAILED": "DISBURSEMENT_FAILED",
    "to PAID": "PAID"
  },
  "DISBURSEMENT_FAILED": {
    ...accepted,
    "status": "CONTRACTING",
    "next_action": "FIX_DISBURSEMENT",
    "kyc same": none,
    "kyc same account": "DisbursementResubmitted",
    "kyc other account": "DisbursementResubmitted",
    "kyc no account": "KycIncomplete pix.type, pix.key",
    "to AWAITING_SIGNATURE": none,
    "to GUARANTEE_PENDING": none,
    "to DISBURSING": "DISBURSING",
    "to DISBURSEMENT_FAILED": none,
    "to PAID": "DISBURSING, PAID"
  },
  "PAID": { ...final, "status": "CONTRACTED" },
  "CANCELLED": { ...final, "status": "CANCELLED" },
  "REJECTED by the lender": { ...final, "status": "CANCELLED" }
}

const describeEvent = (event: ApplicationEvent): string =>
  event._tag === "ProposalMoved"
    ? event.status
    : event._tag === "QuoteRefused"
    ? `${event._tag} ${event.outcome}`
    : event._tag

const describeRefusal = (refusal: ApplicationRefusal): string =>
  refusal._tag === "OfferNotAvailable"
    ? `${refusal._tag} ${refusal.reason}`
    : refusal._tag === "KycIncomplete"
    ? `${refusal._tag} ${refusal.missing.join(", ")}`
    : refusal._tag

const describeOutcome = (outcome: Result.Result<ReadonlyArray<ApplicationEvent>, ApplicationRefusal>): string =>
  Result.match(outcome, {
    onSuccess: (events) => events.length === 0 ? none : events.map(describeEvent).join(", "),
    onFailure: describeRefusal
  })

/** Computes the answer of a state to every command. */
export const answersOf = (state: State) => ({
  ...Object.fromEntries(
    Object.entries(commands).map((
      [name, make]
    ) => [name, describeOutcome(decideApplication(make(state), state.application))])
  ),
  status: applicationStatus(state.application, state.at),
  next_action: nextAction(state.application, state.at)
})
