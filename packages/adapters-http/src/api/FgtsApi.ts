import {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  CreateFgtsApplicationRequest,
  externalIdBounds,
  FgtsApplication,
  FgtsApplicationList,
  FgtsApplicationStatus,
  longestWait,
  mostFound,
  RequoteFgtsApplicationRequest
} from "@lastro/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer } from "./Bearer.ts"
import { fgtsKyc } from "./fgtsKyc.ts"
import { applicationId, recordId } from "./pathParams.ts"
import { authenticated, body, idempotency, record, refusals } from "./refusals.ts"
import { idempotencyKey } from "./requestHeaders.ts"

/** FGTS origination: from the question what can be lent to the accepted offer. */
export class FgtsApi extends HttpApiGroup.make("fgts").add(
  HttpApiEndpoint.get("searchApplications", "/", {
    query: {
      external_id: Schema.String.annotate({
        description: "The consumer's own reference, the whole of it",
        minLength: externalIdBounds.min,
        maxLength: externalIdBounds.max,
        examples: ["loan-4711"]
      })
    },
    success: FgtsApplicationList,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Search applications by the consumer's reference",
    description: `The applications in the caller's subtree with this \`external_id\`, newest first, the latest ` +
      `${mostFound}. A reference may stand in several. Needs \`fgts:read\`.`
  })),
  HttpApiEndpoint.post("createApplication", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateFgtsApplicationRequest),
    success: FgtsApplication.pipe(HttpApiSchema.status(201)),
    error: refusals(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      "OUTSIDE_HIERARCHY",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Open an application and have it quoted",
    description:
      "Opens an application for one consumer, for the caller's partner or for `partner_id` anywhere in its subtree, and " +
      "asks the lender for offers. The quote runs on by itself and survives a restart: the answer is `QUOTING`, and the " +
      "status operation tells when the offers are there. Duplicates are prevented by `Idempotency-Key`, not by " +
      "`external_id`. Needs `fgts:write`."
  })),
  HttpApiEndpoint.post("requoteApplication", "/:id/quotes", {
    params: applicationId,
    headers: idempotencyKey,
    payload: Schema.toEncoded(RequoteFgtsApplicationRequest),
    success: FgtsApplication.pipe(HttpApiSchema.status(202)),
    error: refusals(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "QUOTE_IN_PROGRESS",
      "APPLICATION_NOT_QUOTABLE",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Have an application quoted anew",
    description:
      "Asks the lender again; every older offer becomes invalid at once. The body is optional, and what it " +
      "leaves out is as in the quote before. Possible while nothing was accepted: with offers, after they expired, after " +
      "the lender could not be asked, and after a rejection that is `retryable`, from its `retry_at` on. Needs " +
      "`fgts:write`."
  })),
  HttpApiEndpoint.post("acceptOffer", "/:id/offers/:offer_id/accept", {
    params: { ...applicationId, offer_id: recordId("The offer's id", "0197f3a2-c283-74b5-8fb1-6273849506b7") },
    headers: idempotencyKey,
    payload: Schema.toEncoded(AcceptFgtsOfferRequest),
    success: AcceptFgtsOfferResponse.pipe(HttpApiSchema.status(202)),
    error: refusals(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "OFFER_NOT_AVAILABLE",
      "KYC_INCOMPLETE",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Accept an offer and start contracting",
    description:
      "Makes an available offer of the latest quote a proposal, once all of the KYC is there; the contract is made on by " +
      "itself and survives a restart. Of an application at most one offer is ever accepted: accepting the same one again " +
      "is answered alike, another one is refused. Needs `fgts:write`."
  })),
  ...fgtsKyc,
  HttpApiEndpoint.get("getApplication", "/:id", {
    params: applicationId,
    query: {
      include: Schema.optionalKey(
        Schema.Literals(["quotes"]).annotate({
          description: "`quotes`: every quote of the application, not only the latest"
        })
      )
    },
    success: FgtsApplication,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", ...record, "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read an application",
    description:
      "An application of the caller's subtree with its latest quote. Needs `fgts:read`; without `kyc:read` the " +
      "customer's CPF is masked."
  })),
  HttpApiEndpoint.get("getApplicationStatus", "/:id/status", {
    params: applicationId,
    query: {
      wait: Schema.optionalKey(Schema.Int.annotate({
        description:
          `Seconds to hold the answer while the status is the one of \`If-None-Match\`, or without it the one on arrival: 0 ` +
          `to ${longestWait}. What is smaller counts as 0, what is larger as ${longestWait}. Send both, so that what changed ` +
          "before the request arrived is answered at once.",
        default: 0
      }))
    },
    success: FgtsApplicationStatus,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", ...record, "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read how an application stands",
    description:
      "The status without personal data, for polling. With `wait` the answer is held until something changes, an offer's " +
      "expiry included, and is then 200; when the time is over it is 304 if `If-None-Match` was sent, else 200. The wait is " +
      "ignored while `next_action` is `NONE`. `Retry-After` says when to ask again: while `next_action` is `WAIT`, and " +
      "where there was no place to wait (a caller has 20), which is answered at once. Needs `fgts:read`."
  }))
).prefix("/api/v1/fgts/applications").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "FGTS origination: an application asks the lender to anticipate a consumer's annual withdrawals; a quote " +
    "yields offers; an accepted offer becomes a proposal."
})) {}
