import { Schema } from "effect"
import { displayCpf, type PersonalDataView } from "../access/PersonalDataView.ts"
import { field } from "../input/field.ts"
import { isKycComplete } from "../kyc/FgtsKyc.ts"
import { type Application, currentRejection, latestQuote, recordingTime } from "../loan/Application.ts"
import { ApplicationStatus, applicationStatus } from "../loan/ApplicationStatus.ts"
import { NextAction, nextAction } from "../loan/nextAction.ts"
import { withRequirementsAt } from "../loan/quoteParts.ts"
import { visiblyUpdatedAt } from "../loan/visibleVersion.ts"
import { RejectionReason } from "../offer/RejectionReason.ts"
import { type Cpf } from "../values/Cpf.ts"
import { ApplicationId, PartnerId, ProposalId } from "../values/ids.ts"
import { metadataField } from "../values/Metadata.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { FgtsQuote, fgtsQuote } from "./FgtsQuote.ts"

const nullableText = Schema.NullOr(Schema.String)

/**
 * The customer of an application in a response. The CPF is masked for callers without `kyc:read`. After the erasure of
 * the customer's personal data, all fields are null.
 */
export const CustomerView = Schema.Struct({
  cpf: field(nullableText, "CPF: 11 digits. Masked for callers without `kyc:read`.", "11144477735"),
  birth_date: field(nullableText, "Birth date, YYYY-MM-DD", "1990-05-17"),
  name: field(nullableText, "Name", "Ana Beatriz Lima"),
  email: field(nullableText, "E-mail address", "ana.lima@example.com"),
  phone: field(nullableText, "Phone number: area code and 8 or 9 digits", "11987654321")
}).annotate({
  identifier: "FgtsCustomer",
  description:
    "The customer of an application. Unknown fields are null. After the personal data was erased, all fields are null."
})
type CustomerView = typeof CustomerView.Type

const erasedView: CustomerView = { cpf: null, birth_date: null, name: null, email: null, phone: null }

/**
 * The customer of an erased application has no values in any response, list or export.
 * @rule PRIV-04
 */
export const customerView = (
  { customer, erased_at }: Pick<Application, "customer" | "erased_at">,
  view: PersonalDataView
): CustomerView => erased_at === null ? { ...customer, cpf: displayCpf(customer.cpf, view) } : erasedView

/** An application with its latest quote. */
export const FgtsApplication = Schema.Struct({
  application_id: ApplicationId,
  external_id: field(Schema.String, "The API consumer's own reference", "loan-4711"),
  partner_id: field(PartnerId, "The id of the application's partner"),
  created_by: field(
    Schema.String,
    "The id of the user or API client that created it; `host:` and an id for a user of the embedding service",
    "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051"
  ),
  status: field(ApplicationStatus, "Application status", "QUOTED"),
  next_action: NextAction,
  customer: CustomerView,
  quote: field(FgtsQuote, "The latest quote"),
  kyc_complete: field(Schema.Boolean, "True when all required KYC fields were submitted", false),
  proposal_id: field(Schema.NullOr(ProposalId), "The id of the proposal; null before an offer is accepted", null),
  rejection: field(
    Schema.NullOr(RejectionReason),
    "Reason why there is no offer, why the application was cancelled, why the contract ended, or why the last disbursement failed; otherwise null",
    null
  ),
  metadata: metadataField,
  created_at: field(Timestamp, "When the record was created"),
  updated_at: field(Timestamp, "When the visible state last changed, including changes by time alone"),
  quotes: field(Schema.optionalKey(Schema.Array(FgtsQuote)), "All quotes, oldest first; only with `include=quotes`")
}).annotate({ identifier: "FgtsApplication", description: "An application with its latest quote" })
export interface FgtsApplication extends Schema.Schema.Type<typeof FgtsApplication> {}

/** Applications, newest first. */
export const FgtsApplicationList = Schema.Struct({
  data: field(Schema.Array(FgtsApplication), "The matching applications, newest first")
}).annotate({ identifier: "FgtsApplicationList", description: "Applications, newest first" })
export interface FgtsApplicationList extends Schema.Schema.Type<typeof FgtsApplicationList> {}

/** Masks the customer's CPF in a stored response, unless the caller can see it in full. */
export const maskApplication = (view: PersonalDataView) => (answer: FgtsApplication): FgtsApplication => ({
  ...answer,
  customer: {
    ...answer.customer,
    cpf: answer.customer.cpf === null ? null : displayCpf(answer.customer.cpf as Cpf, view)
  }
})

/**
 * Converts an application to its form in responses, at the time of `clock` or of the last event, whichever is later.
 */
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
    next_action: nextAction(application, at),
    customer: customerView(application, view),
    quote: fgtsQuote(application, latestQuote(application), at),
    kyc_complete: isKycComplete(withRequirementsAt(application, at)),
    proposal_id: application.proposal?.proposal_id ?? null,
    rejection: currentRejection(application),
    metadata: application.metadata,
    created_at: application.created_at,
    updated_at: visiblyUpdatedAt(application, at),
    ...(include.quotes ? { quotes: application.quotes.map((quote) => fgtsQuote(application, quote, at)) } : {})
  }
}
