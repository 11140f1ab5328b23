import {
  type Application,
  disbursementOf,
  findOffer,
  isComplete,
  isLawful,
  type KycValues,
  noKyc,
  type Offer,
  type Proposal
} from "@lastro/domain"
import { Equal, Result } from "effect"
import { type Known, type OriginationRule } from "./Origination.ts"
import { personOf } from "./personOf.ts"

/** A rule about what was accepted; where nothing was it is kept. */
const accepted =
  (kept: (of: { proposal: Proposal; offer: Offer; kyc: KycValues }, known: Known) => boolean): OriginationRule[1] =>
  (application, known) => {
    const { kyc, proposal } = application
    if (proposal === null) return true
    const found = findOffer(application, proposal.offer_id)
    return Result.isSuccess(found) && kept({ proposal, offer: found.success.offer, kyc: kyc ?? noKyc }, known)
  }

const whereToPay = /^kyc\.(disbursement_method|pix|bank)(\.|$)/

/** What the lender is to have: the contract of the proposal, and of nothing else. */
const contractsOf = ({ proposal }: Application): ReadonlyArray<string> =>
  proposal === null ? [] : [proposal.proposal_id]

/** What may be accepted, how often, and what is fixed with it, whatever happens at once. */
export const acceptanceRules: ReadonlyArray<OriginationRule> = [
  ["No offer is accepted without a complete KYC", accepted(({ kyc }) => isComplete(kyc))],
  [
    "No offer is accepted once it has expired, nor on a day whose policy does not allow it",
    accepted(({ offer, proposal }) => proposal.created_at < offer.expires_at && isLawful(offer, proposal.created_at))
  ],
  [
    "At most one offer of an application is accepted, once and for good",
    ({ proposal }, { deeds }) =>
      deeds.filter(({ action }) => action === "application.accept").length === (proposal === null ? 0 : 1) &&
      deeds.every(({ after, before }) =>
        !before?.proposal || (before.proposal.proposal_id === after?.proposal?.proposal_id &&
          before.proposal.offer_id === after.proposal.offer_id)
      )
  ],
  [
    "The lender has exactly one contract for each proposal, and none for what was not accepted",
    (application, { contracts }) =>
      Equal.equals(contracts.map(({ proposal_id }) => proposal_id), contractsOf(application))
  ],
  [
    "The lender was told of the offer that was accepted and of the person that is known",
    (application, { submissions }) =>
      submissions.every((submission) =>
        submission.proposal_id === application.proposal?.proposal_id &&
        submission.offer.offer_id === application.proposal.offer_id &&
        Equal.equals(personOf(submission.kyc), personOf(application.kyc ?? noKyc))
      )
  ],
  [
    "The customer is paid to where the KYC says, once for each time that paying was asked for",
    accepted(({ kyc, proposal }, { contracts }) =>
      Equal.equals(disbursementOf(kyc), proposal.disbursement) &&
      contracts.every(({ payments }) =>
        payments.length === proposal.disbursement_attempt && Equal.equals(payments.at(-1), proposal.disbursement)
      )
    )
  ],
  [
    "After an acceptance nothing of the KYC changes but where to pay, and that while paying failed",
    (_, { deeds }) =>
      deeds.every(({ before, changed }) => {
        const kyc = changed.filter((field) => field === "kyc" || field.startsWith("kyc."))
        return !before?.proposal || kyc.length === 0 ||
          (before.proposal.status === "DISBURSEMENT_FAILED" && kyc.every((field) => whereToPay.test(field)))
      })
  ]
]
