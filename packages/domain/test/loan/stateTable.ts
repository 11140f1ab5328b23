import { Result } from "effect"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { decide } from "../../src/loan/decide.ts"
import { type LoanRefusal } from "../../src/loan/LoanCommand.ts"
import { type LoanEvent } from "../../src/loan/LoanEvent.ts"
import { nextAction } from "../../src/loan/nextAction.ts"
import { type CommandName, commands, type State, type StateName } from "./states.ts"

/** One answer per command: the events, the refusal, or `-` when nothing happens. */
export type Answers = Readonly<Record<CommandName | "status" | "next_action", string>>

/** The answer to a command that succeeds without an event. */
export const none = "-"
const unavailable = { "accept": "OfferNotAvailable EXPIRED", "accept sibling": "OfferNotAvailable EXPIRED" }
const late = {
  "offers": none,
  "refusal": none,
  "failure": none,
  "offers for the first quote": none,
  "offers of slow lender": none,
  "patience over": none
}
const noContract = {
  "to AWAITING_SIGNATURE": none,
  "to GUARANTEE_PENDING": none,
  "to DISBURSING": none,
  "to DISBURSEMENT_FAILED": none,
  "to IN_ANALYSIS": none,
  "to PAID": none,
  "to CANCELLED": none,
  "to REJECTED": none,
  "to REFUND_PENDING": none,
  "to REFUNDED": none,
  "to SETTLED": none,
  "submission starts": none,
  "expiry": none,
  "submission not received": none,
  "data refused": none,
  "no contract": none,
  "exit not offered": none,
  "refund refused": none,
  "contract of another": none,
  "new link": none
}
const always = {
  "cancel quote job": none,
  "accept superseded": "OfferNotAvailable SUPERSEDED",
  "accept unknown": "NotFound"
}
const notCancellable = {
  "cancel": "ApplicationNotCancellable ENDED",
  "cancel, lender cannot": "ApplicationNotCancellable ENDED",
  "cancel contract job": "JobNotCancellable ENDED"
}
const notPaid = {
  "withdraw": "ProposalNotWithdrawable NOT_PAID",
  "withdraw, lender cannot": "ProposalNotWithdrawable NOT_PAID"
}
const notToBeSigned = {
  "renew link": "SignatureNotPending NOT_PENDING",
  "renew link, lender cannot": "SignatureNotPending NOT_PENDING"
}
const atOnce = {
  "cancel": "ContractCancelled",
  "cancel, lender cannot": "ContractCancelled",
  "cancel contract job": "ContractCancelled"
}

/** Before an offer is accepted. Without offers in the second quote, both offer ids are unknown. */
const open = {
  ...always,
  ...late,
  ...noContract,
  ...notPaid,
  ...notToBeSigned,
  "cancel": "ApplicationCancelled",
  "cancel, lender cannot": "ApplicationCancelled",
  "cancel contract job": none,
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
  ...noContract,
  ...notPaid,
  ...notToBeSigned,
  "cancel": "CancellationRequested",
  "cancel, lender cannot": "ApplicationNotCancellable LENDER_CANNOT_CANCEL",
  "cancel contract job": "JobNotCancellable LENDER_MAY_HAVE_CONTRACT",
  "re-quote": "ApplicationNotQuotable",
  "accept": none,
  "accept sibling": "OfferNotAvailable DECLINED",
  "kyc changed": "KycLocked",
  "kyc partial": "KycLocked",
  "kyc same": "KycLocked",
  "kyc same account": "KycLocked",
  "kyc other account": "KycLocked",
  "kyc no account": "KycLocked",
  "to CANCELLED": "ContractCancelled",
  "to REJECTED": "ContractRejected"
}
const final = { ...accepted, ...noContract, ...notCancellable, "next_action": "NONE" }

/** The payment and the reversal of a contract, after the events of a path to its payment. */
const afterPath = (path: string) => ({
  "to PAID": `${path}CustomerPaid`,
  "refund refused": `${path}CustomerPaid`,
  "to REFUND_PENDING": `${path}CustomerPaid, RefundOffered`,
  "to REFUNDED": `${path}CustomerPaid, PaymentReversed`,
  "to SETTLED": `${path}CustomerPaid, ContractSettled`
})

/** While the lender has not returned a contract. */
const unconfirmed = {
  ...accepted,
  ...afterPath("SignatureRequested, ContractSigned, GuaranteeConfirmed, "),
  "status": "CONTRACTING",
  "to IN_ANALYSIS": "ContractUpdated",
  "to AWAITING_SIGNATURE": "SignatureRequested",
  "to GUARANTEE_PENDING": "SignatureRequested, ContractSigned",
  "to DISBURSING": "SignatureRequested, ContractSigned, GuaranteeConfirmed",
  "to DISBURSEMENT_FAILED": "SignatureRequested, ContractSigned, GuaranteeConfirmed, PaymentFailed",
  "new link": "SignatureRequested"
}
const submitting = {
  ...unconfirmed,
  "next_action": "WAIT",
  "data refused": "SubmissionRefused",
  "contract of another": "ReferenceConflicted",
  "cancel, lender cannot": "ApplicationNotCancellable LENDER_MAY_HAVE_CONTRACT"
}
const conflicted = { ...submitting, ...atOnce, "contract of another": none, "data refused": none }
const correction = {
  ...unconfirmed,
  ...atOnce,
  "next_action": "FIX_KYC",
  "kyc same": none,
  "kyc no account": "KycIncomplete pix.type, pix.key"
}
const awaitingSignature = {
  ...accepted,
  ...afterPath("ContractSigned, GuaranteeConfirmed, "),
  "status": "CONTRACTING",
  "next_action": "SIGN",
  "to GUARANTEE_PENDING": "ContractSigned",
  "to DISBURSING": "ContractSigned, GuaranteeConfirmed",
  "to DISBURSEMENT_FAILED": "ContractSigned, GuaranteeConfirmed, PaymentFailed",
  "renew link": "SignatureLinkRequested",
  "renew link, lender cannot": "SignatureNotPending LENDER_HAS_NO_LINKS"
}
const cancelling = {
  ...accepted,
  ...afterPath(""),
  "status": "CONTRACTING",
  "next_action": "WAIT",
  "cancel": none,
  "cancel, lender cannot": none,
  "no contract": "ContractCancelled"
}
const cancellingContract = { ...cancelling, "exit not offered": "CancellationRefused" }
/** A contract that ends after its payment is reversed. */
const paid = {
  ...final,
  "status": "CONTRACTED",
  "to CANCELLED": "PaymentReversed",
  "to REJECTED": "PaymentReversed",
  "to REFUND_PENDING": "RefundOffered",
  "to REFUNDED": "PaymentReversed",
  "to SETTLED": "ContractSettled"
}
const refunding = {
  ...paid,
  "status": "REFUNDING",
  "next_action": "WAIT",
  "to CANCELLED": "ContractRefunded",
  "to REJECTED": "ContractRefunded",
  "to REFUND_PENDING": none,
  "to REFUNDED": "ContractRefunded",
  "to SETTLED": "RefundNotPaid, ContractSettled",
  "refund refused": "RefundNotPaid"
}

/** The expected answer of every state to every command. */
export const stateTable: Readonly<Record<StateName, Answers>> = {
  "QUOTING": {
    ...open,
    "status": "QUOTING",
    "next_action": "WAIT",
    "re-quote": "QuoteInProgress",
    "cancel quote job": "QuoteFailed",
    "offers": "QuoteCompleted",
    "offers of slow lender": "QuoteCompleted",
    "refusal": "QuoteRejected",
    "failure": "QuoteFailed"
  },
  "QUOTING, slow lender": {
    ...open,
    "status": "QUOTING",
    "next_action": "WAIT",
    "re-quote": "QuoteInProgress",
    "offers of slow lender": "LenderOffered, QuoteCompleted",
    "patience over": "QuoteCompleted"
  },
  "QUOTED, slow lender": {
    ...open,
    "status": "QUOTED",
    "next_action": "ACCEPT_OFFER",
    "re-quote": "QuoteRequested",
    "accept": "OfferAccepted",
    "accept sibling": "OfferAccepted",
    "offers of slow lender": "LenderOffered",
    "patience over": "LenderFailed"
  },
  "EXPIRED, slow lender": {
    ...open,
    ...unavailable,
    "status": "EXPIRED",
    "next_action": "REQUOTE",
    "re-quote": "QuoteRequested",
    "offers of slow lender": "LenderOffered",
    "patience over": "LenderFailed"
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
    "next_action": "RETRY_LATER",
    "re-quote": "ApplicationNotQuotable"
  },
  "REJECTED, final": { ...open, "status": "REJECTED", "next_action": "NONE", "re-quote": "ApplicationNotQuotable" },
  "SUBMITTING, not started": { ...submitting, ...atOnce, "submission starts": "ContractSubmitted" },
  "SUBMITTING, corrected too late": { ...submitting, ...atOnce, "submission starts": "ProposalExpired" },
  "SUBMITTING": { ...submitting, "submission not received": "SubmissionNotReceived" },
  "SUBMITTING, reference of another": conflicted,
  "CORRECTION_NEEDED": {
    ...correction,
    "kyc changed": "DataCorrected, left: pix",
    "kyc same account": "DataCorrected",
    "kyc other account": "KycLocked"
  },
  "CORRECTION_NEEDED, no field named": {
    ...correction,
    "kyc changed": "DataCorrected",
    "kyc partial": "KycIncomplete nationality",
    "kyc same account": none,
    "kyc other account": "DataCorrected"
  },
  "CORRECTION_NEEDED, expired": {
    ...correction,
    "kyc same": "KycLocked",
    "kyc no account": "KycLocked",
    "expiry": "ProposalExpired"
  },
  "SUBMITTING, own contract after that of another": {
    ...submitting,
    "to IN_ANALYSIS": none,
    "data refused": none,
    "contract of another": none,
    "cancel, lender cannot": "ApplicationNotCancellable LENDER_CANNOT_CANCEL"
  },
  "SUBMITTING, reference of another, expired": { ...conflicted, "expiry": "ProposalExpired" },
  "AWAITING_SIGNATURE": awaitingSignature,
  "AWAITING_SIGNATURE, new link requested": {
    ...awaitingSignature,
    "renew link": none,
    "new link": "SignatureLinkRenewed",
    "exit not offered": "SignatureLinkRefused"
  },
  "GUARANTEE_PENDING": {
    ...accepted,
    ...afterPath("GuaranteeConfirmed, "),
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to DISBURSING": "GuaranteeConfirmed",
    "to DISBURSEMENT_FAILED": "GuaranteeConfirmed, PaymentFailed"
  },
  "DISBURSING": {
    ...accepted,
    ...afterPath(""),
    "status": "CONTRACTING",
    "next_action": "WAIT",
    "to DISBURSEMENT_FAILED": "PaymentFailed"
  },
  "DISBURSEMENT_FAILED": {
    ...accepted,
    ...afterPath("PaymentRetried, "),
    "status": "CONTRACTING",
    "next_action": "FIX_DISBURSEMENT",
    "kyc same": none,
    "kyc same account": "DisbursementCorrected",
    "kyc other account": "DisbursementCorrected",
    "kyc no account": "KycIncomplete pix.type, pix.key",
    "to DISBURSING": "PaymentRetried"
  },
  "CANCELLING": cancellingContract,
  "CANCELLING before the signature": cancellingContract,
  "CANCELLING before the payment": cancellingContract,
  "CANCELLING after a failed payment": cancellingContract,
  "CANCELLING, submission unanswered": {
    ...cancelling,
    "to IN_ANALYSIS": "ContractUpdated",
    "to AWAITING_SIGNATURE": "ContractUpdated",
    "to GUARANTEE_PENDING": "ContractUpdated",
    "to DISBURSING": "ContractUpdated",
    "to DISBURSEMENT_FAILED": "ContractUpdated",
    "new link": "ContractUpdated",
    "submission not received": "ContractCancelled",
    "data refused": "ContractCancelled",
    "contract of another": "ContractCancelled",
    "exit not offered": "CancellationRefused"
  },
  "PAID": {
    ...paid,
    "withdraw": "WithdrawalRequested",
    "withdraw, lender cannot": "ProposalNotWithdrawable LENDER_CANNOT_REFUND"
  },
  "PAID, right of regret over": {
    ...paid,
    "withdraw": "ProposalNotWithdrawable TOO_LATE",
    "withdraw, lender cannot": "ProposalNotWithdrawable TOO_LATE"
  },
  "REFUND_PENDING, unanswered": {
    ...refunding,
    "to REFUND_PENDING": "RefundOffered",
    "exit not offered": "WithdrawalRefused",
    "refund refused": "WithdrawalRefused"
  },
  "REFUND_PENDING": { ...refunding, "to PAID": "RefundNotPaid" },
  "REFUNDED": { ...final, "status": "CANCELLED" },
  "SETTLED": { ...final, "status": "CONTRACTED" },
  "CANCELLED, no offer accepted": {
    ...final,
    "cancel contract job": none,
    "accept": "OfferNotAvailable DECLINED",
    "status": "CANCELLED"
  },
  "CANCELLED": { ...final, "status": "CANCELLED" },
  "REJECTED by the lender": { ...final, "status": "CANCELLED" }
}

const describeEvent = (event: LoanEvent): string =>
  event._tag === "DataCorrected" && event.left.length > 0 ? `${event._tag}, left: ${event.left.join(", ")}` : event._tag

const describeRefusal = (refusal: LoanRefusal): string =>
  refusal._tag === "OfferNotAvailable"
    ? `${refusal._tag} ${refusal.reason}`
    : refusal._tag === "ApplicationNotCancellable" || refusal._tag === "ProposalNotWithdrawable" ||
        refusal._tag === "SignatureNotPending" || refusal._tag === "JobNotCancellable"
    ? `${refusal._tag} ${refusal.reason}`
    : refusal._tag === "KycIncomplete"
    ? `${refusal._tag} ${refusal.missing.join(", ")}`
    : refusal._tag

const describeOutcome = (outcome: Result.Result<ReadonlyArray<LoanEvent>, LoanRefusal>): string =>
  Result.match(outcome, {
    onSuccess: (events) => events.length === 0 ? none : events.map(describeEvent).join(", "),
    onFailure: describeRefusal
  })

/** Computes the answer of a state to every command. */
export const answersOf = (state: State) => ({
  ...Object.fromEntries(
    Object.entries(commands).map((
      [name, make]
    ) => [name, describeOutcome(decide(make(state), state.application))])
  ),
  status: applicationStatus(state.application, state.at),
  next_action: nextAction(state.application, state.at)
})
