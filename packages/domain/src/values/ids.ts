import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of an FGTS application. */
export const ApplicationId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The application's id", examples: ["0197f3a2-a061-7293-8d9f-405162738495"] }),
  Schema.brand("ApplicationId")
)
export type ApplicationId = typeof ApplicationId.Type

/** The id of an offer. */
export const OfferId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The offer's id", examples: ["0197f3a2-c283-74b5-8fb1-6273849506b7"] }),
  Schema.brand("OfferId")
)
export type OfferId = typeof OfferId.Type

/** The id of a proposal. */
export const ProposalId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The proposal's id", examples: ["0197f3a2-d394-75c6-80c2-738495a6b7c8"] }),
  Schema.brand("ProposalId")
)
export type ProposalId = typeof ProposalId.Type

/** The id of a quote. */
export const QuoteId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The quote's id", examples: ["0197f3a2-b172-73a4-8ea0-516273849506"] }),
  Schema.brand("QuoteId")
)
export type QuoteId = typeof QuoteId.Type

/** The id of a user. */
export const UserId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The user's id", examples: ["0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051"] }),
  Schema.brand("UserId")
)
export type UserId = typeof UserId.Type

/** The id of a partner. */
export const PartnerId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The partner's id", examples: ["0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"] }),
  Schema.brand("PartnerId")
)
export type PartnerId = typeof PartnerId.Type

/** The id of a webhook. */
export const WebhookId = Uuid.pipe(
  Schema.annotateEncoded({ description: "The webhook's id", examples: ["0197f3a2-e4a5-76d7-91d3-8495a6b7c8d9"] }),
  Schema.brand("WebhookId")
)
export type WebhookId = typeof WebhookId.Type
