import { emptyKyc, type KycValues } from "@lastro/domain/kyc"
import { type Application, type Proposal, referenceOf } from "@lastro/domain/loan"
import { type Offer } from "@lastro/domain/offer"
import { Equal } from "effect"
import { type Evidence } from "./Evidence.ts"
import { acceptOutcome, accountOf, isCancelled, isKycComplete, isLawfulAt, personOf } from "./expectedOutcomes.ts"
import {
  type LoanRule,
  onEvery,
  onEveryChange,
  onEveryStep,
  refusalChangesNothing,
  type RuleNumber,
  type Step
} from "./LoanRule.ts"

/** Makes a rule about the accepted offer. Without an accepted offer, the rule is satisfied. */
const onAcceptance = (
  rule: RuleNumber,
  statement: string,
  isKept: (accepted: { proposal: Proposal; offer: Offer; kyc: KycValues }, evidence: Evidence) => boolean
): LoanRule => ({
  rule,
  statement,
  isKept: (evidence) => {
    const { kyc, proposal, quotes } = evidence.application
    if (proposal === null) return true
    const offer = quotes.flatMap(({ offers }) => offers).find(({ offer_id }) => offer_id === proposal.offer_id)
    return offer !== undefined && isKept({ proposal, offer, kyc: kyc ?? emptyKyc }, evidence)
  }
})

/** Returns whether a job that submits the contract or requests a payment is still pending. */
const isContractPending = ({ pending }: Evidence, { proposal_id }: Proposal): boolean =>
  pending.some((work) => work.kind === "contract" && work.id === proposal_id)

const isCancelledUnconfirmed = (proposal: Proposal): boolean =>
  proposal.status === "CANCELLED" && proposal.contract === null

const isEnded = ({ contract: { status } }: Evidence["contracts"][number]): boolean =>
  status === "CANCELLED" || status === "REJECTED"

const isSameAcceptance = (a: Proposal, b: Proposal | null): boolean =>
  a.proposal_id === b?.proposal_id && a.offer_id === b.offer_id && a.number === b.number &&
  a.created_at === b.created_at && Equal.equals(a.acceptance, b.acceptance)

const needsCorrection = (proposal: { readonly status: string } | null): boolean =>
  proposal?.status === "CORRECTION_NEEDED"

const wasCorrected = ({ status_history }: Proposal): boolean => status_history.some(needsCorrection)

const hasFailed = (proposal: Proposal | null): boolean => proposal?.status === "DISBURSEMENT_FAILED"

const isPaidAgain = (before: Proposal, after: Proposal | null): after is Proposal =>
  after?.disbursement_attempt === before.disbursement_attempt + 1

/**
 * Returns whether the contract was cancelled or, outside races, has passed the payment step. The lender can then have
 * missed a payment request.
 */
const isEndedEarly = ({ observations }: Evidence, { status }: Proposal): boolean =>
  status === "CANCELLED" ||
  observations.length > 0 && ["PAID", "CANCELLED", "REJECTED", "REFUND_PENDING", "REFUNDED", "SETTLED"].includes(status)

const isAccountField = (field: string): boolean => /^kyc\.(disbursement_method|pix|bank)(\.|$)/.test(field)

const expectedAcceptance = ({ at, before, command }: Step): string => {
  if (command._tag !== "AcceptOffer") return "done"
  const outcome = acceptOutcome(before, command.offer_id, at)
  return outcome !== "NotFound" && !command.terms_accepted ? "ValidationFailed" : outcome
}

const hasSamePerson = (before: Application, after: Application): boolean =>
  before.kyc === null || after.kyc === null || Equal.equals(personOf(before.kyc), personOf(after.kyc))

/** Rules 3, 4 and 5: acceptance, the contract at the lender, and the KYC lock. */
export const acceptanceRules: ReadonlyArray<LoanRule> = [
  onEveryStep(
    3,
    "Only an acceptance creates a proposal",
    ({ after, before, command }) =>
      command._tag === "AcceptOffer" || before.proposal !== null || after.proposal === null
  ),
  onEvery(
    "AcceptOffer",
    3,
    "An acceptance succeeds exactly when the offer is available and allowed, the KYC is complete and the terms are accepted",
    (step) => step.outcome === expectedAcceptance(step)
  ),
  onEvery(
    "AcceptOffer",
    3,
    "An acceptance creates a proposal for the requested offer",
    ({ after, command, outcome }) => outcome !== "done" || after.proposal?.offer_id === command.offer_id
  ),
  refusalChangesNothing("AcceptOffer", 3),
  onAcceptance(3, "No offer is accepted without a complete KYC", ({ kyc }) => isKycComplete(kyc)),
  onAcceptance(
    3,
    "No offer is accepted after its expiry, or on a day on which the policy does not allow it",
    ({ offer, proposal }, { application }) =>
      proposal.created_at < offer.expires_at && isLawfulAt(proposal.created_at, offer, application.customer)
  ),
  onEveryStep(
    4,
    "The id, number, offer and acceptance of a proposal never change",
    ({ after, before }) => before.proposal === null || isSameAcceptance(before.proposal, after.proposal)
  ),
  onEveryChange(
    4,
    "An accepted offer stays accepted",
    ({ proposal }, after) =>
      proposal === null ||
      (proposal.proposal_id === after?.proposal?.proposal_id && proposal.offer_id === after.proposal.offer_id)
  ),
  onEvery(
    "AcceptOffer",
    4,
    "Accepting the accepted offer again changes nothing",
    ({ after, before, outcome }) => outcome !== "done" || before.proposal === null || Equal.equals(before, after)
  ),
  {
    rule: 4,
    statement: "All successful acceptances receive the same response",
    isKept: ({ application: { application_id, proposal }, responses }) =>
      responses.every((response) =>
        response._tag !== "Accepted" || Equal.equals(response.answer, {
          application_id,
          offer_id: proposal?.offer_id,
          proposal_id: proposal?.proposal_id,
          status: "CONTRACTING",
          next_action: "WAIT"
        })
      )
  },
  {
    rule: 4,
    statement: "The audit log has one acceptance if the application has a proposal, and none otherwise",
    isKept: ({ application: { proposal }, audit }) =>
      audit === null ||
      audit.filter(({ action }) => action === "application.accept").length === (proposal === null ? 0 : 1)
  },
  {
    rule: 4,
    statement: "The lender has exactly one contract for a proposal, and none without a proposal",
    isKept: (evidence) => {
      const { application: { proposal }, contracts } = evidence
      if (proposal === null) return contracts.length === 0
      if (contracts.length > 1 || contracts.some(({ proposal_id }) => proposal_id !== proposal.proposal_id)) {
        return false
      }
      if (isCancelledUnconfirmed(proposal)) return contracts.every(isEnded)
      return contracts.length === 1 || isContractPending(evidence, proposal) || needsCorrection(proposal)
    }
  },
  onEveryStep(
    5,
    "Only a KYC submission changes the KYC",
    ({ after, before, command }) => command._tag === "SubmitKyc" || Equal.equals(before.kyc, after.kyc)
  ),
  onEvery(
    "RecordContract",
    5,
    "The failure of an earlier payment does not affect the last payment",
    ({ after, before, command }) =>
      !command.is_earlier_payment || !hasFailed(after.proposal) || Equal.equals(before, after)
  ),
  onEvery(
    "SubmitKyc",
    5,
    "Before an acceptance, the KYC is locked exactly when the application is cancelled",
    ({ before, outcome }) =>
      before.proposal !== null || (isCancelled(before) ? outcome !== "done" : outcome !== "KycLocked")
  ),
  onEvery(
    "SubmitKyc",
    5,
    "After an acceptance, the KYC is locked unless the payment failed or the lender refused the data",
    ({ before, outcome }) =>
      before.proposal === null || outcome !== "done" || hasFailed(before.proposal) || needsCorrection(before.proposal)
  ),
  onEvery(
    "SubmitKyc",
    5,
    "A failed payment unlocks the disbursement account",
    ({ before, command, outcome }) => outcome !== "KycLocked" || !hasFailed(before.proposal) || !command.is_account_only
  ),
  refusalChangesNothing("SubmitKyc", 5),
  onEveryStep(
    5,
    "Personal data never changes after an acceptance, unless the lender refused the data",
    ({ after, before }) => before.proposal === null || needsCorrection(before.proposal) || hasSamePerson(before, after)
  ),
  onEveryStep(
    5,
    "After an acceptance, a change of account requests another payment, unless the lender refused the data",
    ({ after, before }) =>
      before.proposal === null || needsCorrection(before.proposal) || Equal.equals(before.kyc, after.kyc) ||
      isPaidAgain(before.proposal, after.proposal)
  ),
  onEvery(
    "SubmitKyc",
    5,
    "A proposal is DISBURSING after another payment is requested",
    ({ after, before }) =>
      before.proposal === null || !isPaidAgain(before.proposal, after.proposal) ||
      after.proposal.status === "DISBURSING"
  ),
  {
    rule: 5,
    statement:
      "After an acceptance, only the account can change, and only after a failed payment or a refusal of the data",
    isKept: ({ audit }) =>
      (audit ?? []).every(({ before, changed }) => {
        const kyc = changed.filter((field) => field === "kyc" || field.startsWith("kyc."))
        return !before?.proposal || kyc.length === 0 || needsCorrection(before.proposal) ||
          (before.proposal.status === "DISBURSEMENT_FAILED" && kyc.every(isAccountField))
      })
  },
  {
    rule: 5,
    statement: "Every submission to the lender contains the accepted offer and the personal data of the KYC",
    isKept: ({ application: { kyc, proposal }, submissions }) =>
      submissions.every((submission, index) => {
        if (submission.proposal_id !== proposal?.proposal_id) return false
        if (submission.offer.offer_id !== proposal.offer_id) return false
        // A submission before a correction contains other data than the current KYC.
        const isLast = index === submissions.length - 1
        const isOlder = wasCorrected(proposal) && (referenceOf(proposal) === null || !isLast)
        return isOlder || Equal.equals(personOf(submission.kyc), personOf(kyc ?? emptyKyc))
      })
  },
  onAcceptance(
    5,
    "The proposal is paid to the account in the KYC",
    ({ kyc, proposal }) => Equal.equals(accountOf(kyc), proposal.disbursement)
  ),
  onAcceptance(
    5,
    "The lender makes each requested payment once, to the requested account",
    ({ proposal }, evidence) =>
      evidence.contracts.every(({ payments }) =>
        isContractPending(evidence, proposal) || isEndedEarly(evidence, proposal)
          ? payments.length <= proposal.disbursement_attempt
          : payments.length === proposal.disbursement_attempt && Equal.equals(payments.at(-1), proposal.disbursement)
      )
  )
]
