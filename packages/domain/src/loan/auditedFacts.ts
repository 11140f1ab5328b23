import { type Schema } from "effect"
import { type Quote } from "../offer/Quote.ts"
import { type Application, latestQuote } from "./Application.ts"
import { rejectionOf } from "./Proposal.ts"

const auditedQuote = ({ number, outcome, rejection }: Quote) => ({
  number,
  outcome,
  rejection: rejection?.code ?? null
})

/** Returns the fields of an application that the audit log records: customer, metadata, progress and submitted KYC. */
export const auditedFacts = (
  { customer, external_id, kyc, metadata, proposal, quotes }: Application
): Schema.JsonObject => ({
  external_id,
  metadata: { ...metadata },
  customer: { ...customer },
  quote: auditedQuote(latestQuote({ quotes })),
  kyc: kyc === null ? null : { ...kyc },
  proposal: proposal === null ? null : {
    proposal_id: proposal.proposal_id,
    offer_id: proposal.offer_id,
    status: proposal.status,
    acceptance: { ...proposal.acceptance },
    rejection: rejectionOf(proposal)?.code ?? null,
    disbursement_attempt: proposal.disbursement_attempt
  }
})
