import { Schema } from "effect"
import { IpAddress } from "../../documents/IpAddress.ts"
import { ApplicationId } from "../../id/ApplicationId.ts"
import { OfferId } from "../../id/OfferId.ts"
import { PartnerId } from "../../id/PartnerId.ts"
import { ProposalId } from "../../id/ProposalId.ts"
import { Reais } from "../../money/Centavos.ts"
import { instant } from "../../time/instant.ts"
import { text, type TextBounds } from "../../validation/Text.ts"
import { wholeNumber } from "../../validation/wholeNumber.ts"
import { ApplicationStatus } from "../application/ApplicationStatus.ts"
import { Customer } from "../kyc/Customer.ts"

const maxInstallments = wholeNumber({
  min: 1,
  max: 10,
  description: "The most annual withdrawals to anticipate; the policy in force allows no more than its own maximum",
  examples: [3]
})

/** Minimum desired net amount, in reais. */
export const leastDesiredAmount = 0.01

const wish = {
  /** Default: as many as the policy allows. */
  max_installments: Schema.optionalKey(Schema.NullOr(maxInstallments)),
  /** Desired net amount. Default: the most possible. */
  desired_amount: Schema.optionalKey(Schema.NullOr(Reais.pipe(Schema.annotateEncoded({ minimum: leastDesiredAmount }))))
}

/** Length of an external id, the consumer's reference. */
export const externalIdBounds: TextBounds = { min: 1, max: 64 }

/** The body of `createApplication`. */
export const CreateFgtsApplicationRequest = Schema.Struct({
  external_id: text({
    ...externalIdBounds,
    description: "The consumer's own reference; not unique",
    examples: ["loan-4711"]
  }),
  customer: Customer,
  ...wish,
  /** Default: the caller's partner. */
  partner_id: Schema.optionalKey(PartnerId)
}).annotate({ identifier: "CreateFgtsApplicationRequest" })
export type CreateFgtsApplicationRequest = typeof CreateFgtsApplicationRequest.Type

/** The body of `requoteApplication`. An absent field keeps its value; `null` clears it. */
export const RequoteFgtsApplicationRequest = Schema.Struct(wish).annotate({
  identifier: "RequoteFgtsApplicationRequest"
})
export type RequoteFgtsApplicationRequest = typeof RequoteFgtsApplicationRequest.Type

/** The body of `acceptOffer`. */
export const AcceptFgtsOfferRequest = Schema.Struct({
  /** The customer has accepted the terms. */
  terms_accepted: Schema.Literals([true]),
  /** Time of the acceptance. Default: now. */
  accepted_at: Schema.optionalKey(Schema.NullOr(instant)),
  /** IP address of the customer at the acceptance. */
  ip: Schema.optionalKey(Schema.NullOr(IpAddress)),
  user_agent: Schema.optionalKey(Schema.NullOr(text({ min: 1, max: 512, description: "The customer's browser" })))
}).annotate({ identifier: "AcceptFgtsOfferRequest" })
export type AcceptFgtsOfferRequest = typeof AcceptFgtsOfferRequest.Type

/** The answer of `acceptOffer`. */
export const AcceptFgtsOfferResponse = Schema.Struct({
  application_id: ApplicationId,
  offer_id: OfferId,
  proposal_id: ProposalId,
  status: ApplicationStatus
}).annotate({ identifier: "AcceptFgtsOfferResponse" })
export type AcceptFgtsOfferResponse = typeof AcceptFgtsOfferResponse.Type
