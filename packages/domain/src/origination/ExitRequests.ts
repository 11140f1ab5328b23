import { Schema } from "effect"
import { field } from "../input/field.ts"
import { textSchema } from "../input/Text.ts"
import { cancellationReasons, withdrawalReasons } from "../loan/ContractFacts.ts"

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
export type CancelFgtsApplicationRequest = typeof CancelFgtsApplicationRequest.Type

/** The body of `withdrawFromProposal`. */
export const WithdrawFromProposalRequest = Schema.Struct({
  reason: field(Schema.Literals(withdrawalReasons), "Reason for the withdrawal", "CUSTOMER_REQUEST")
}).annotate({
  identifier: "WithdrawFromProposalRequest",
  description: "Request body that withdraws from a paid contract"
})
export type WithdrawFromProposalRequest = typeof WithdrawFromProposalRequest.Type

/** The body of `renewSignatureLink`, which is empty and can be absent. */
export const RenewSignatureLinkRequest = Schema.Record(Schema.String, Schema.Never).annotate({
  identifier: "RenewSignatureLinkRequest",
  description: "Empty request body",
  examples: [{}]
})
