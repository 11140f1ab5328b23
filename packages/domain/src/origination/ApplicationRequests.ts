import { Schema } from "effect"
import { field } from "../input/field.ts"
import { type TextBounds, textSchema } from "../input/Text.ts"
import { wholeNumber } from "../input/wholeNumber.ts"
import { Customer } from "../kyc/KycValues.ts"
import { lenderCodes } from "../lender/Routing.ts"
import { ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { cancellationReasons, withdrawalReasons } from "../loan/ContractFacts.ts"
import { NextAction } from "../loan/nextAction.ts"
import { Reais } from "../values/Centavos.ts"
import { ApplicationId, OfferId, PartnerId, ProposalId } from "../values/ids.ts"
import { IpAddress } from "../values/IpAddress.ts"
import { metadataPatchField, newMetadataField } from "../values/Metadata.ts"
import { timestamp } from "../values/parseTimestamp.ts"

const maxInstallments = wholeNumber({
  min: 1,
  max: 10
})

/** Minimum desired net amount, in reais. */
export const leastDesiredAmount = 0.01

const wish = {
  max_installments: field(
    Schema.optionalKey(Schema.NullOr(maxInstallments)),
    "Maximum number of annual withdrawals to anticipate. Null: as many as the policy allows. Default: null for the " +
      "first quote, the value of the previous quote for later ones.",
    5
  ),
  desired_amount: field(
    Schema.optionalKey(Schema.NullOr(Reais.pipe(Schema.annotateEncoded({ minimum: leastDesiredAmount })))),
    "Desired net amount in reais. Installments are added, earliest first, until this amount is reached. Null: the " +
      "largest possible amount. Default: null for the first quote, the value of the previous quote for later ones.",
    null
  )
}

const lenders = field(
  Schema.optionalKey(Schema.NullOr(lenderCodes)),
  "Codes of the lenders to ask for offers. Each must be in the effective routing of the partner, whose order applies. " +
    "Null: all of them. Default: null for the first quote, the value of the previous quote for later ones.",
  null
)

/** Minimum and maximum length of an external id (the API consumer's own reference). */
export const externalIdBounds: TextBounds = { min: 1, max: 64 }

/** The body of `createApplication`. */
export const CreateFgtsApplicationRequest = Schema.Struct({
  external_id: textSchema({
    ...externalIdBounds,
    description: "The API consumer's own reference. It need not be unique.",
    examples: ["loan-4711"]
  }),
  customer: Customer,
  ...wish,
  lenders,
  partner_id: field(
    Schema.optionalKey(PartnerId),
    "The id of the application's partner, in the caller's subtree. Default: the caller's own partner."
  ),
  metadata: newMetadataField
}).annotate({ identifier: "CreateFgtsApplicationRequest", description: "Request body that creates an application" })
export interface CreateFgtsApplicationRequest extends Schema.Schema.Type<typeof CreateFgtsApplicationRequest> {}

/** The body of `updateApplication`. */
export const UpdateFgtsApplicationRequest = Schema.Struct({ metadata: metadataPatchField }).annotate({
  identifier: "UpdateFgtsApplicationRequest",
  description: "Request body that changes the metadata of an application"
})
export interface UpdateFgtsApplicationRequest extends Schema.Schema.Type<typeof UpdateFgtsApplicationRequest> {}

/** The body of `requoteApplication`. An absent field keeps its value, and `null` clears it. */
export const RequoteFgtsApplicationRequest = Schema.Struct({ ...wish, lenders }).annotate({
  identifier: "RequoteFgtsApplicationRequest",
  description: "Request body that requests a new quote"
})
export interface RequoteFgtsApplicationRequest extends Schema.Schema.Type<typeof RequoteFgtsApplicationRequest> {}

/** Request body that accepts an offer. */
export const AcceptFgtsOfferRequest = Schema.Struct({
  terms_accepted: field(Schema.Literals([true]), "Must be true: the customer has agreed to the terms"),
  accepted_at: field(
    Schema.optionalKey(Schema.NullOr(timestamp)),
    "When the customer agreed, at most five minutes in the future. Default: now.",
    null
  ),
  ip: field(Schema.optionalKey(Schema.NullOr(IpAddress)), "The customer's IP address, IPv4 or IPv6", "203.0.113.7"),
  user_agent: field(
    Schema.optionalKey(Schema.NullOr(textSchema({ min: 1, max: 512 }))),
    "The user agent of the customer's browser",
    "Mozilla/5.0 (Linux; Android 16)"
  )
}).annotate({ identifier: "AcceptFgtsOfferRequest", description: "Request body that accepts an offer" })
export interface AcceptFgtsOfferRequest extends Schema.Schema.Type<typeof AcceptFgtsOfferRequest> {}

/** Response to the acceptance of an offer. */
export const AcceptFgtsOfferResponse = Schema.Struct({
  application_id: ApplicationId,
  offer_id: OfferId,
  proposal_id: ProposalId,
  status: field(ApplicationStatus, "Application status", "CONTRACTING"),
  next_action: NextAction
}).annotate({ identifier: "AcceptFgtsOfferResponse", description: "The proposal created by accepting the offer" })
export interface AcceptFgtsOfferResponse extends Schema.Schema.Type<typeof AcceptFgtsOfferResponse> {}

/** The body of `cancelApplication`. */
export const CancelFgtsApplicationRequest = Schema.Struct({
  reason: field(
    Schema.Literals(cancellationReasons),
    "Reason. `CUSTOMER_REQUEST` gives the rejection code `CUSTOMER_CANCELLED`, any other reason `CANCELLED_BY_PARTNER`.",
    "CUSTOMER_REQUEST"
  ),
  note: field(
    Schema.optionalKey(Schema.NullOr(textSchema({ min: 1, max: 500 }))),
    "A note for the audit log. It is stored nowhere else.",
    "The customer called to cancel."
  )
}).annotate({ identifier: "CancelFgtsApplicationRequest", description: "Request body that cancels an application" })
export interface CancelFgtsApplicationRequest extends Schema.Schema.Type<typeof CancelFgtsApplicationRequest> {}

/** The body of `withdrawFromProposal`. */
export const WithdrawFromProposalRequest = Schema.Struct({
  reason: field(Schema.Literals(withdrawalReasons), "Reason for the withdrawal", "CUSTOMER_REQUEST")
}).annotate({
  identifier: "WithdrawFromProposalRequest",
  description: "Request body that withdraws from a paid contract"
})
export interface WithdrawFromProposalRequest extends Schema.Schema.Type<typeof WithdrawFromProposalRequest> {}

/** The body of `renewSignatureLink`, which is empty and can be absent. */
export const RenewSignatureLinkRequest = Schema.Record(Schema.String, Schema.Never).annotate({
  identifier: "RenewSignatureLinkRequest",
  description: "Empty request body",
  examples: [{}]
})
