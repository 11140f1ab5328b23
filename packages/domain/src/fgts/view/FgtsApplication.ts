import { Schema } from "effect"
import { type Cpf } from "../../documents/Cpf.ts"
import { ApplicationId } from "../../id/ApplicationId.ts"
import { PartnerId } from "../../id/PartnerId.ts"
import { ProposalId } from "../../id/ProposalId.ts"
import { type PersonalDataView, shownCpf } from "../../identity/PersonalDataView.ts"
import { Timestamp } from "../../time/Timestamp.ts"
import { type Application, latestQuote, recordingTime } from "../application/Application.ts"
import { ApplicationStatus, applicationStatus } from "../application/ApplicationStatus.ts"
import { visiblyUpdatedAt } from "../application/visibleVersion.ts"
import { Customer } from "../kyc/Customer.ts"
import { noKyc } from "../kyc/KycValues.ts"
import { isComplete } from "../kyc/missingFields.ts"
import { RejectionReason } from "../quote/RejectionReason.ts"
import { FgtsQuote, fgtsQuote } from "./FgtsQuote.ts"

/** The consumer of an application as answers show it; the CPF is masked for callers who may not read KYC. */
export const ShownCustomer = Schema.toEncoded(Customer)

/** An application with its latest quote. */
export const FgtsApplication = Schema.Struct({
  application_id: ApplicationId,
  external_id: Schema.String,
  partner_id: PartnerId,
  /** The user or API client that opened it. */
  created_by: Schema.String,
  status: ApplicationStatus,
  customer: ShownCustomer,
  /** The latest quote. */
  quote: FgtsQuote,
  kyc_complete: Schema.Boolean,
  proposal_id: Schema.NullOr(ProposalId),
  /** Why there is no offer, no contract any more, or why the last payment failed. */
  rejection: Schema.NullOr(RejectionReason),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Every quote, the first one first; only when asked for. */
  quotes: Schema.optionalKey(Schema.Array(FgtsQuote))
}).annotate({ identifier: "FgtsApplication" })
export type FgtsApplication = typeof FgtsApplication.Type

/** Applications, newest first. */
export const FgtsApplicationList = Schema.Struct({ data: Schema.Array(FgtsApplication) }).annotate({
  identifier: "FgtsApplicationList"
})
export type FgtsApplicationList = typeof FgtsApplicationList.Type

/** An application as it was answered, shown to somebody who may see less. */
export const shownApplication = (view: PersonalDataView) => (answer: FgtsApplication): FgtsApplication => ({
  ...answer,
  customer: { ...answer.customer, cpf: shownCpf(answer.customer.cpf as Cpf, view) }
})

/** An application as answers show it at a time, which is never before the last fact, whatever the clock of this node says. */
export const fgtsApplication = (
  application: Application,
  clock: Timestamp,
  view: PersonalDataView,
  include: { readonly quotes: boolean } = { quotes: false }
): FgtsApplication => {
  const at = recordingTime(application, clock)
  return {
    application_id: application.application_id,
    external_id: application.external_id,
    partner_id: application.partner_id,
    created_by: application.created_by,
    status: applicationStatus(application, at),
    customer: { ...application.customer, cpf: shownCpf(application.customer.cpf, view) },
    quote: fgtsQuote(application, latestQuote(application), at),
    kyc_complete: isComplete(application.kyc ?? noKyc),
    proposal_id: application.proposal?.proposal_id ?? null,
    rejection: application.proposal === null ? latestQuote(application).rejection : application.proposal.rejection,
    created_at: application.created_at,
    updated_at: visiblyUpdatedAt(application, at),
    ...(include.quotes ? { quotes: application.quotes.map((quote) => fgtsQuote(application, quote, at)) } : {})
  }
}
