import { Schema } from "effect"
import { GroupId, GroupSlug } from "../access/Group.ts"
import { field } from "../input/field.ts"
import { ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { RejectionCodeSchema, RejectionKind } from "../offer/RejectionReason.ts"
import { ApplicationId, OfferId, PartnerId, ProposalId, QuoteId, UserId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { type SubjectKind } from "./DomainEvent.ts"

/** Amounts in reais have at most two decimals. */
const amount = Schema.Finite

const rejection = {
  rejection_code: Schema.optionalKey(field(RejectionCodeSchema, "The reason of a rejection or failure")),
  rejection_kind: Schema.optionalKey(field(RejectionKind, "The party that can remove the reason")),
  retry_at: Schema.optionalKey(field(Schema.NullOr(Timestamp), "The earliest time of a retry; null if it is not known"))
}

/** The data of the events about each kind of record. A later version may add fields. */
export const eventDataSchemas = {
  partner: Schema.Struct({
    partner_id: PartnerId,
    parent_id: field(Schema.NullOr(PartnerId), "The partner directly above; null for a root"),
    status: field(Schema.Literals(["active", "inactive"]), "The status of the partner")
  }).annotate({ identifier: "PartnerEventData", description: "The data of an event about a partner" }),
  user: Schema.Struct({
    user_id: UserId,
    partner_id: PartnerId,
    status: field(Schema.Literals(["ACTIVE", "INACTIVE"]), "The status of the user"),
    group: field(GroupSlug, "The group of the user")
  }).annotate({ identifier: "UserEventData", description: "The data of an event about a user" }),
  client: Schema.Struct({
    client_id: field(Schema.String, "The id of the API client"),
    partner_id: PartnerId,
    group_id: field(GroupId, "The id of the group that the API client belongs to")
  }).annotate({ identifier: "ClientEventData", description: "The data of an event about an API client" }),
  application: Schema.Struct({
    application_id: ApplicationId,
    quote_id: field(QuoteId, "The latest quote"),
    status: field(ApplicationStatus, "The status of the application after the event"),
    offers: Schema.optionalKey(field(Schema.Int, "The number of offers. Only in `application.quoted`", 3)),
    offer_id: Schema.optionalKey(field(OfferId, "The accepted offer. Only in `application.accepted`")),
    proposal_id: Schema.optionalKey(field(ProposalId, "The new proposal. Only in `application.accepted`")),
    reason: Schema.optionalKey(
      field(Schema.String, "The reason of the cancellation. Only in `application.cancelled`", "CUSTOMER_REQUEST")
    ),
    ...rejection
  }).annotate({ identifier: "ApplicationEventData", description: "The data of an event about an application" }),
  proposal: Schema.Struct({
    application_id: ApplicationId,
    proposal_id: ProposalId,
    offer_id: field(OfferId, "The accepted offer"),
    status: field(ProposalStatus, "The status of the proposal after the event", "PAID"),
    net_amount: field(Schema.NullOr(amount), "The amount for the customer, in reais", 1234.56),
    disbursement_attempt: field(Schema.Int, "The number of the current payment attempt, from 1", 1),
    paid_amount: Schema.optionalKey(field(amount, "The paid amount in reais, after the payment", 1234.56)),
    paid_at: Schema.optionalKey(field(Timestamp, "The time of the payment, after the payment")),
    settled_at: Schema.optionalKey(field(Timestamp, "The time at which the contract was settled, after that")),
    ...rejection
  }).annotate({ identifier: "ProposalEventData", description: "The data of an event about a proposal" })
} as const satisfies Readonly<Record<SubjectKind, Schema.Top>>
