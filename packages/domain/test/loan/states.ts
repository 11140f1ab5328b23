import { basicRequirements } from "../../src/kyc/KycRequirements.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { noExits } from "../../src/loan/LenderContract.ts"
import { type LoanCommand, type PassPatience } from "../../src/loan/LoanCommand.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  cancel,
  completeKyc,
  failQuote,
  hourMs,
  lenderOffer,
  msAfter,
  noon,
  notReceived,
  offerId,
  priceQuote,
  quotedApplication,
  quoteId,
  refund,
  refuseRequest,
  refuseSubmission,
  rejectQuote,
  renewLink,
  requote,
  returnContractOfAnother,
  startSubmission,
  submitKyc,
  updateContract,
  withdraw
} from "./examples.ts"

/** Commands come one hour after the last event, or after the offers have expired. */
const soon = msAfter(hourMs)
const tomorrow = msAfter(25 * hourMs)
/** A day after the first instalment of the offers was due. */
const later = "2026-05-02T12:00:00.000Z" as typeof soon

/** Every state has two quotes. The offers of the first are superseded; the state's name describes the second. */
const requoted = applyCommands(quotedApplication(), requote(2))
const quotedAgain = applyCommands(requoted, priceQuote(2))
const accepted = applyCommands(quotedAgain, accept(offerId(2, 1)))
const started = applyCommands(accepted, startSubmission())
const moveProposal = (status: Parameters<typeof updateContract>[0]): Application =>
  applyCommands(started, updateContract(status))
const corrected = applyCommands(started, refuseSubmission(["pix"]), submitKyc(completeKyc, soon, true, ["pix"]))
/** The lender returned the contract of another proposal. */
const conflicted = applyCommands(started, returnContractOfAnother())
const refunding = applyCommands(moveProposal("PAID"), withdraw())
const offers = [lenderOffer("standard"), lenderOffer("plus", { fee: 10_00, valid_until: msAfter(1) })]

/** The second quote requests two lenders. The quick one has offers, and the slow one has not answered. */
const inParts = applyCommands(
  quotedApplication(),
  {
    ...requote(2),
    lenders: ["quick", "slow"].map((name) => ({
      lender: { code: name, label: name },
      requirements: basicRequirements
    })),
    routing: { strategy: "ALL", patience_ms: hourMs / 2 }
  },
  { ...priceQuote(2), lender: "quick" }
)
const passPatience = (at: Timestamp): PassPatience => ({
  _tag: "PassPatience",
  at,
  quote_id: quoteId(2),
  deadline_ms: 24 * hourMs
})
const lateSlow = applyCommands(inParts, passPatience(msAfter(hourMs / 2)))

/** The proposal of an application without a proposal. */
const proposalOfAnother = "0197f3a2-0000-7000-8000-000000000009" as ProposalId

/** An application and the instant at which commands reach it. */
export interface State {
  readonly application: Application
  readonly at: typeof soon
}

/** All states: application and proposal status, KYC completeness, and the effects of time. */
export const states = {
  "QUOTING": { application: requoted, at: soon },
  "QUOTING, slow lender": { application: inParts, at: soon },
  "QUOTED, slow lender": { application: lateSlow, at: soon },
  "EXPIRED, slow lender": { application: lateSlow, at: tomorrow },
  "QUOTED, KYC incomplete": {
    application: applyCommands(quotedAgain, submitKyc({ ...completeKyc, phone: null, pix: null })),
    at: soon
  },
  "QUOTED, KYC complete": { application: quotedAgain, at: soon },
  "QUOTED, sibling expired": { application: applyCommands(requoted, priceQuote(2, noon, offers)), at: soon },
  "EXPIRED": { application: quotedAgain, at: tomorrow },
  "QUOTE_FAILED": { application: applyCommands(requoted, failQuote(2)), at: soon },
  "REJECTED, retryable": { application: applyCommands(requoted, rejectQuote(2, "NO_AUTHORIZATION")), at: soon },
  "REJECTED, retry_at past": {
    application: applyCommands(requoted, rejectQuote(2, "OPERATION_IN_PROGRESS", soon, soon)),
    at: soon
  },
  "REJECTED, retry_at ahead": {
    application: applyCommands(requoted, rejectQuote(2, "BIRTHDAY_WINDOW", soon, msAfter(1, soon))),
    at: soon
  },
  "REJECTED, final": { application: applyCommands(requoted, rejectQuote(2, "NO_FGTS_ACCOUNT")), at: soon },
  "SUBMITTING, not started": { application: accepted, at: soon },
  "SUBMITTING, corrected too late": { application: corrected, at: later },
  "SUBMITTING": { application: started, at: soon },
  "SUBMITTING, reference of another": { application: conflicted, at: soon },
  "CORRECTION_NEEDED": { application: applyCommands(started, refuseSubmission(["civil_status", "pix"])), at: soon },
  "CORRECTION_NEEDED, no field named": { application: applyCommands(started, refuseSubmission([])), at: soon },
  "CORRECTION_NEEDED, expired": { application: applyCommands(started, refuseSubmission([])), at: later },
  "SUBMITTING, own contract after that of another": {
    application: applyCommands(conflicted, updateContract("IN_ANALYSIS")),
    at: later
  },
  "SUBMITTING, reference of another, expired": { application: conflicted, at: later },
  "AWAITING_SIGNATURE": { application: moveProposal("AWAITING_SIGNATURE"), at: soon },
  "AWAITING_SIGNATURE, new link requested": {
    application: applyCommands(moveProposal("AWAITING_SIGNATURE"), renewLink()),
    at: soon
  },
  "GUARANTEE_PENDING": { application: moveProposal("GUARANTEE_PENDING"), at: soon },
  "DISBURSING": { application: moveProposal("DISBURSING"), at: tomorrow },
  "DISBURSEMENT_FAILED": { application: moveProposal("DISBURSEMENT_FAILED"), at: tomorrow },
  "CANCELLING": { application: applyCommands(moveProposal("GUARANTEE_PENDING"), cancel()), at: soon },
  "CANCELLING before the signature": {
    application: applyCommands(moveProposal("AWAITING_SIGNATURE"), cancel()),
    at: soon
  },
  "CANCELLING before the payment": { application: applyCommands(moveProposal("DISBURSING"), cancel()), at: tomorrow },
  "CANCELLING after a failed payment": {
    application: applyCommands(moveProposal("DISBURSEMENT_FAILED"), cancel()),
    at: tomorrow
  },
  "CANCELLING, submission unanswered": { application: applyCommands(started, cancel()), at: soon },
  "PAID": { application: moveProposal("PAID"), at: tomorrow },
  "PAID, right of regret over": { application: moveProposal("PAID"), at: msAfter(8 * 24 * hourMs) },
  "REFUND_PENDING, unanswered": { application: refunding, at: tomorrow },
  "REFUND_PENDING": {
    application: applyCommands(refunding, updateContract("REFUND_PENDING", noon, { refund })),
    at: tomorrow
  },
  "REFUNDED": { application: moveProposal("REFUNDED"), at: tomorrow },
  "SETTLED": { application: moveProposal("SETTLED"), at: tomorrow },
  "CANCELLED, no offer accepted": { application: applyCommands(quotedAgain, cancel()), at: soon },
  "CANCELLED": { application: moveProposal("CANCELLED"), at: soon },
  "REJECTED by the lender": { application: moveProposal("REJECTED"), at: soon }
} as const satisfies Readonly<Record<string, State>>

/** All commands. The KYC of a `kyc …` command is complete, except for `kyc partial` and `kyc no account`. */
export const commands = {
  "re-quote": ({ at }) => requote(3, at),
  "accept": ({ at }) => accept(offerId(2, 1), at, 4),
  "accept sibling": ({ at }) => accept(offerId(2, 2), at, 4),
  "accept superseded": ({ at }) => accept(offerId(1, 1), at, 4),
  "accept unknown": ({ at }) => accept(offerId(9, 9), at, 4),
  "kyc changed": ({ at }) => submitKyc({ ...completeKyc, civil_status: "WIDOWED" }, at, false, ["civil_status"]),
  "kyc partial": ({ application, at }) =>
    submitKyc({ ...(application.kyc ?? completeKyc), nationality: null }, at, false, ["nationality"]),
  "kyc same": ({ application, at }) => submitKyc(application.kyc ?? completeKyc, at, false, []),
  "kyc same account": ({ application, at }) => submitKyc(application.kyc ?? completeKyc, at, true),
  "kyc other account": ({ at }) => submitKyc({ ...completeKyc, disbursement_method: "BANK_TRANSFER" }, at, true),
  "kyc no account": ({ at }) => submitKyc({ ...completeKyc, pix: null }, at, true),
  "offers": ({ at }) => priceQuote(2, at),
  "refusal": ({ at }) => rejectQuote(2, "NO_FGTS_ACCOUNT", at),
  "failure": ({ at }) => failQuote(2, at),
  "offers for the first quote": ({ at }) => priceQuote(1, at),
  "offers of slow lender": ({ at }) => ({
    ...priceQuote(2, at),
    lender: "slow",
    offer_ids: [offerId(2, 3), offerId(2, 4)]
  }),
  "patience over": ({ at }) => passPatience(at),
  "to IN_ANALYSIS": ({ at }) => updateContract("IN_ANALYSIS", at),
  "to AWAITING_SIGNATURE": ({ at }) => updateContract("AWAITING_SIGNATURE", at),
  "to GUARANTEE_PENDING": ({ at }) => updateContract("GUARANTEE_PENDING", at),
  "to DISBURSING": ({ at }) => updateContract("DISBURSING", at),
  "to DISBURSEMENT_FAILED": ({ at }) => updateContract("DISBURSEMENT_FAILED", at),
  "to PAID": ({ at }) => updateContract("PAID", at),
  "to CANCELLED": ({ at }) => updateContract("CANCELLED", at),
  "to REJECTED": ({ at }) => updateContract("REJECTED", at),
  "to REFUND_PENDING": ({ at }) => updateContract("REFUND_PENDING", at, { refund }),
  "to REFUNDED": ({ at }) => updateContract("REFUNDED", at),
  "to SETTLED": ({ at }) => updateContract("SETTLED", at),
  "submission starts": ({ at }) => startSubmission(at),
  "expiry": ({ at }) => ({ _tag: "ExpireProposal", at }),
  "submission not received": ({ application, at }) => notReceived(application.proposal?.submitted_at ?? at),
  "data refused": ({ at }) => refuseSubmission(["civil_status"], at),
  "no contract": ({ at }) => ({ _tag: "RecordNoContract", at }),
  "exit not offered": ({ application, at }) => refuseRequest(application, at),
  "refund refused": ({ at }) => ({ ...updateContract("PAID", at), answers: "refund" }),
  "contract of another": ({ at }) => returnContractOfAnother("taken", at),
  "new link": ({ at }) => ({
    ...updateContract("AWAITING_SIGNATURE", at, { signature_url: "https://lender.example/sign/2" }),
    answers: "signature_link"
  }),
  "cancel": ({ at }) => cancel(at),
  "cancel, lender cannot": ({ at }) => cancel(at, noExits),
  "withdraw": ({ at }) => withdraw(at),
  "withdraw, lender cannot": ({ at }) => withdraw(at, noExits),
  "renew link": ({ at }) => renewLink(at),
  "renew link, lender cannot": ({ at }) => renewLink(at, noExits),
  "cancel quote job": ({ application, at }) => ({
    _tag: "CancelJob",
    at,
    job: { kind: "quote", id: latestQuote(application).quote_id }
  }),
  "cancel contract job": ({ application, at }) => ({
    _tag: "CancelJob",
    at,
    job: { kind: "contract", id: application.proposal?.proposal_id ?? proposalOfAnother }
  })
} as const satisfies Readonly<Record<string, (state: State) => LoanCommand>>

export type StateName = keyof typeof states
export type CommandName = keyof typeof commands
