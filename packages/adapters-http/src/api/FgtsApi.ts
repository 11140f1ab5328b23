import { ApplicationStatus, NextAction, ProposalStatus } from "@lastro/domain/loan"
import { rejectionCodes } from "@lastro/domain/offer"
import {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  applicationSortFields,
  CancelFgtsApplicationRequest,
  CreateFgtsApplicationRequest,
  FgtsApplication,
  FgtsApplicationList,
  FgtsApplicationsPage,
  FgtsApplicationStatus,
  FgtsApplicationSummary,
  ListOfLendersResponse,
  maxSearchResults,
  maxWaitSeconds,
  RequoteFgtsApplicationRequest,
  UpdateFgtsApplicationRequest
} from "@lastro/domain/origination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { applicationId, Bearer, idempotencyKey, ifMatch, recordId, texts } from "./endpointParts.ts"
import { authenticated, command, errorResponses, list, patch, read, recordCommand } from "./errorResponses.ts"
import { kycEndpoints } from "./kycEndpoints.ts"
import {
  choicesFilter,
  cpfFilter,
  creatorFilter,
  deadlineFilters,
  externalIdFilter,
  formatQuery,
  listQuery,
  metadataFilter,
  partnerFilters,
  timeFilters
} from "./listQuery.ts"

/** The filters of the list and of the summary of applications. */
const applicationFilters = {
  external_id: externalIdFilter,
  cpf: cpfFilter,
  next_action: choicesFilter(NextAction, "The caller's current next action"),
  proposal_status: choicesFilter(ProposalStatus, "The status of the proposal"),
  rejection_code: Schema.optionalKey(
    Schema.Literals(rejectionCodes).annotate({ description: "The code of the current rejection" })
  ),
  ...partnerFilters("Applications"),
  created_by: creatorFilter,
  metadata: metadataFilter,
  ...timeFilters,
  ...deadlineFilters
}

/** FGTS origination: from the application to the accepted offer. */
export class FgtsApi extends HttpApiGroup.make("fgts").add(
  HttpApiEndpoint.get("listApplications", "/", {
    query: {
      ...listQuery(applicationSortFields),
      ...formatQuery,
      status: choicesFilter(ApplicationStatus, "The application's current status"),
      ...applicationFilters
    },
    success: Schema.Union([FgtsApplicationsPage, FgtsApplicationList]).annotate({
      description:
        "A page of applications. With `external_id` as the only parameter: the applications with this reference."
    }),
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List or search applications",
    "Returns a page of the applications in the caller's subtree. Filters combine with AND. `status` and `next_action` are those at the time " +
      "of the request. `updated_at` is the time of the last event, which the expiry of an offer does not change.\n\n" +
      "With `external_id` as the only parameter, the response is `FgtsApplicationList` instead: the complete applications with " +
      `this reference, newest first, at most ${maxSearchResults}. References need not be unique. Add a parameter such as ` +
      "`size` to get a page. CPFs are masked for callers without `kyc:read`. Requires `fgts:read`."
  )),
  HttpApiEndpoint.get("summarizeApplications", "/summary", {
    query: applicationFilters,
    success: FgtsApplicationSummary,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "Count applications",
    "Counts the applications in the caller's subtree by status, next action and status of the proposal, at the time of the " +
      "request. Takes the filters of the list, except `status`. Filters combine with AND. Without other filters than " +
      "`next_action`, `proposal_status` and `partner_scope=subtree`, the counts are stored, so the response is fast for any " +
      "number of applications. Requires `fgts:read`."
  )),
  HttpApiEndpoint.post("createApplication", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateFgtsApplicationRequest),
    success: FgtsApplication.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, command("OUTSIDE_HIERARCHY", "NO_LENDER"))
  }).annotateMerge(texts(
    "Create an application and request a quote",
    "Creates an application for one consumer and requests a quote from the lender. The application belongs to the " +
      "caller's partner, or to `partner_id` in its subtree. The quote is a durable job: the response is `QUOTING`; " +
      "poll the status for the offers. Use `Idempotency-Key` to prevent duplicates; `external_id` does not. Requires " +
      "`fgts:write`."
  )),
  HttpApiEndpoint.post("requoteApplication", "/:id/quotes", {
    params: applicationId,
    headers: idempotencyKey,
    payload: Schema.toEncoded(RequoteFgtsApplicationRequest),
    success: FgtsApplication.pipe(HttpApiSchema.status(202)),
    error: errorResponses(ApiErrorResponse, recordCommand("QUOTE_IN_PROGRESS", "APPLICATION_NOT_QUOTABLE", "NO_LENDER"))
  }).annotateMerge(texts(
    "Request a new quote",
    "Requests a new quote from the lender. All older offers are superseded immediately. The body is optional; " +
      "absent fields keep the value of the previous quote. Allowed until an offer is accepted, if the latest quote " +
      "has offers (expired or not), if it failed, or if it was rejected as `retryable` and `retry_at` has passed. " +
      "Requires `fgts:write`."
  )),
  HttpApiEndpoint.post("acceptOffer", "/:id/offers/:offer_id/accept", {
    params: { ...applicationId, offer_id: recordId("The offer's id") },
    headers: idempotencyKey,
    payload: Schema.toEncoded(AcceptFgtsOfferRequest),
    success: AcceptFgtsOfferResponse.pipe(HttpApiSchema.status(202)),
    error: errorResponses(ApiErrorResponse, recordCommand("OFFER_NOT_AVAILABLE", "KYC_INCOMPLETE"))
  }).annotateMerge(texts(
    "Accept an offer",
    "Accepts an available offer of the latest quote and creates a proposal. The KYC must be complete. Contracting " +
      "is a durable job. At most one offer of an application can be accepted. Accepting the same offer again returns " +
      "the same response. Accepting another offer is rejected. Requires `fgts:write`."
  )),
  HttpApiEndpoint.post("cancelApplication", "/:id/cancel", {
    params: applicationId,
    headers: idempotencyKey,
    payload: Schema.toEncoded(CancelFgtsApplicationRequest),
    success: FgtsApplication.pipe(HttpApiSchema.status(202)),
    error: errorResponses(ApiErrorResponse, recordCommand("APPLICATION_NOT_CANCELLABLE"))
  }).annotateMerge(texts(
    "Cancel an application",
    "Cancels an application that is not paid. Before the lender has a contract, the application is `CANCELLED` at " +
      "once. Otherwise the proposal is `CANCELLING` until the lender confirms, and then `CANCELLED`. If it was paid " +
      "meanwhile, it is `PAID`, and its history has the reason `ALREADY_PAID`. Without a body, the reason is " +
      "`CUSTOMER_REQUEST`. Requires `fgts:write`."
  )),
  ...kycEndpoints,
  HttpApiEndpoint.get("getApplication", "/:id", {
    params: applicationId,
    query: {
      include: Schema.optionalKey(
        Schema.Literals(["quotes"]).annotate({
          description: "`quotes`: all quotes of the application, instead of only the latest one"
        })
      )
    },
    success: FgtsApplication,
    error: errorResponses(ApiErrorResponse, read("VALIDATION_FAILED"))
  }).annotateMerge(texts(
    "Get an application",
    "Returns an application in the caller's subtree with its latest quote. The CPF is masked for callers without " +
      "`kyc:read`. Requires `fgts:read`."
  )),
  HttpApiEndpoint.patch("updateApplication", "/:id", {
    params: applicationId,
    headers: ifMatch,
    payload: Schema.toEncoded(UpdateFgtsApplicationRequest),
    success: FgtsApplication,
    error: errorResponses(ApiErrorResponse, patch())
  }).annotateMerge(texts(
    "Update the metadata of an application",
    "Merges `metadata` key by key (JSON Merge Patch, RFC 7396): `null` removes a key, and `metadata: null` removes " +
      "all keys. Allowed in every status, but not after the customer was erased. The status and `updated_at` do not " +
      "change, and no long poll ends. `If-Match` takes the `ETag` of `GET` without `include`. A patch without effect " +
      "returns 200 with the same `ETag`. Requires `fgts:write`."
  )),
  HttpApiEndpoint.get("getApplicationStatus", "/:id/status", {
    params: applicationId,
    query: {
      wait: Schema.optionalKey(Schema.Int.annotate({
        description:
          `Seconds to wait for a change (long poll), clamped to 0 to ${maxWaitSeconds}. Default: 0. A change is a difference ` +
          "from the status in `If-None-Match`. Without this header, only a request whose `next_action` is `WAIT` " +
          "waits, for a change from the status at its start. Send `If-None-Match`, so that no change is missed."
      }))
    },
    success: FgtsApplicationStatus,
    error: errorResponses(ApiErrorResponse, read("VALIDATION_FAILED"))
  }).annotateMerge(texts(
    "Get the status of an application",
    "Returns the status without personal data, for polling. With `wait`, the response is 200 as soon as the status " +
      "changes or an offer expires. On timeout, the response is 304 if you sent `If-None-Match`, otherwise 200. " +
      "A caller can have 20 concurrent long polls. Another one is refused with 429 `RATE_LIMITED` and `Retry-After`. " +
      "`Retry-After` is also set while `next_action` is `WAIT`. Requires `fgts:read`."
  ))
).prefix("/api/v1/fgts/applications").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "FGTS origination. An application requests a loan against a consumer's annual FGTS withdrawals. A quote contains " +
    "offers. Accepting an offer creates a proposal."
})) {}

/** The lenders. */
export class LendersApi extends HttpApiGroup.make("lenders").add(
  HttpApiEndpoint.get("listLenders", "/", {
    success: ListOfLendersResponse,
    error: errorResponses(ApiErrorResponse, ["PERMISSION_DENIED", ...authenticated])
  }).annotateMerge(texts(
    "List lenders",
    "Returns the lenders of the caller's partner, in the order of its routing. After them, returns the other lenders of contracts " +
      "in the caller's subtree. Requires `fgts:read`."
  ))
).prefix("/api/v1/lenders").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "The lenders of the installation, each with a code."
})) {}
