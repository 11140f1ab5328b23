import { Match } from "effect"
import { disbursementOf } from "../kyc/Disbursement.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type ContractEvent, type ExitEvent, type ReturnedFacts } from "./ContractEvent.ts"
import { type Proposal, type StatusChange } from "./Proposal.ts"

/** An event that changes a proposal. */
export type ProposalEvent =
  | Exclude<ContractEvent | ExitEvent, { readonly _tag: "ApplicationCancelled" }>
  | { readonly _tag: "DisbursementResubmitted"; readonly at: Proposal["updated_at"]; readonly kyc: KycValues }

/** Applies an event to a proposal. */
export const evolveProposal = (proposal: Proposal, event: ProposalEvent): Proposal => {
  const moved = (status: Proposal["status"], reason: StatusChange["reason"] = null): Proposal => ({
    ...proposal,
    status,
    status_history: [...proposal.status_history, { status, at: event.at, reason }],
    link_requested_at: null,
    updated_at: event.at
  })
  const updated: Proposal = { ...proposal, updated_at: event.at }
  return Match.value(event).pipe(Match.tagsExhaustive({
    // Callers cannot see the start of a submission, so it does not change `updated_at`.
    SubmissionStarted: ({ at }): Proposal => ({
      ...proposal,
      asked_at: at,
      submissions: (proposal.submissions ?? 0) + 1
    }),
    SubmissionRefused: ({ fields }): Proposal => ({
      ...moved("CORRECTION_NEEDED", "SUBMISSION_INVALID"),
      asked_at: null,
      correction: { fields }
    }),
    KycCorrected: ({ kyc, left }): Proposal => ({
      ...(left.length === 0 ? moved("SUBMITTING") : updated),
      correction: left.length === 0 ? null : { fields: left },
      customer: { ...proposal.customer, name: kyc.name ?? proposal.customer.name },
      disbursement: disbursementOf(kyc)
    }),
    ProposalMoved: ({ reason, reference, rejection, returned, signature_url, status }): Proposal => ({
      ...moved(status, reason ?? rejection?.code ?? null),
      ...withReturned(proposal, returned),
      reference,
      signature_url: signature_url ?? proposal.signature_url,
      rejection,
      correction: null,
      conflicting_reference: null,
      ...(status === "PAID" ? { cancellation: null, withdrawal: null } : {}),
      ...(status === "REFUND_PENDING" ? {} : { refund: null })
    }),
    ContractUpdated: ({ reference, returned, signature_url }): Proposal => ({
      ...updated,
      ...withReturned(proposal, returned),
      reference,
      signature_url: signature_url ?? proposal.signature_url,
      link_requested_at: null,
      withdrawal: proposal.withdrawal === null || proposal.withdrawal === undefined
        ? null
        : { ...proposal.withdrawal, is_confirmed: true }
    }),
    ReferenceConflicted: ({ reference }): Proposal => ({ ...updated, conflicting_reference: reference }),
    CancellationRequested: ({ at, reason }): Proposal => ({
      ...moved("CANCELLING"),
      cancellation: { reason, requested_at: at, from: proposal.status }
    }),
    WithdrawalRequested: ({ at, reason }): Proposal => ({
      ...moved("REFUND_PENDING"),
      withdrawal: { reason, requested_at: at, is_confirmed: false }
    }),
    SignatureLinkRequested: ({ at }): Proposal => ({ ...updated, link_requested_at: at }),
    ExitRefused: ({ reason, status }): Proposal => ({
      ...(status === proposal.status ? updated : moved(status, reason)),
      cancellation: null,
      withdrawal: null,
      link_requested_at: null
    }),
    DisbursementResubmitted: ({ kyc }): Proposal => ({
      ...moved("DISBURSING"),
      rejection: null,
      disbursement: disbursementOf(kyc),
      disbursement_attempt: proposal.disbursement_attempt + 1
    })
  }))
}

/**
 * Payments, terms and refunds are kept until the lender returns others. A required action ends when the lender no
 * longer returns it.
 */
const withReturned = (proposal: Proposal, returned: ReturnedFacts | undefined): Partial<Proposal> => ({
  paid: returned?.paid ?? proposal.paid ?? null,
  terms: returned?.terms ?? proposal.terms ?? null,
  refund: returned?.refund ?? proposal.refund ?? null,
  required_action: returned?.required_action ?? null
})
