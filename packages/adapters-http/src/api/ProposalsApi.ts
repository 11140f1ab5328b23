import { ProposalStatus } from "@lastro/domain/loan"
import {
  proposalSortFields,
  ProposalsPage,
  PublicProposalDetailResponse,
  RenewSignatureLinkRequest,
  WithdrawFromProposalRequest
} from "@lastro/domain/origination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, recordId, texts } from "./endpointParts.ts"
import { errorResponses, list, read, recordCommand } from "./errorResponses.ts"
import {
  choicesFilter,
  cpfFilter,
  creatorFilter,
  exactFilter,
  externalIdFilter,
  formatQuery,
  listQuery,
  partnerFilters,
  textFilter,
  timeFilter,
  timeFilters
} from "./listQuery.ts"

/** Proposals: contracts created by accepting offers. */
export class ProposalsApi extends HttpApiGroup.make("proposals").add(
  HttpApiEndpoint.get("listProposals", "/", {
    query: {
      ...listQuery(proposalSortFields),
      ...formatQuery,
      cpf: cpfFilter,
      customer_name: textFilter("the customer's name"),
      external_id: externalIdFilter,
      status: choicesFilter(ProposalStatus, "The proposal's status"),
      number: exactFilter("The proposal number, in any letter case"),
      lender: exactFilter("The name of the contract's lender"),
      table: exactFilter("The code of the lender's fee table"),
      ...partnerFilters("Proposals"),
      created_by: creatorFilter,
      ...timeFilters,
      paid_from: timeFilter(`Paid: from this time (inclusive)`),
      paid_to: timeFilter(`Paid: before this instant, or to the end of this day`)
    },
    success: ProposalsPage,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List proposals",
    "Returns a page of the proposals in the caller's subtree. Filters combine with AND. CPFs are masked. Sorted by " +
      "`paid_at`, unpaid proposals come last in both directions. Requires `proposals:read`."
  )),
  HttpApiEndpoint.get("getProposal", "/:proposal_uuid", {
    params: { proposal_uuid: recordId("The proposal's id") },
    success: PublicProposalDetailResponse,
    error: errorResponses(ApiErrorResponse, read())
  }).annotateMerge(texts(
    "Get a proposal",
    "Returns a proposal in the caller's subtree. The disbursement account is masked except for its last four " +
      "characters. The CPF is masked for callers without `kyc:read`. Requires `proposals:read`."
  )),
  HttpApiEndpoint.post("withdrawFromProposal", "/:proposal_uuid/withdrawal", {
    params: { proposal_uuid: recordId("The proposal's id") },
    headers: idempotencyKey,
    payload: Schema.toEncoded(WithdrawFromProposalRequest),
    success: PublicProposalDetailResponse.pipe(HttpApiSchema.status(202)),
    error: errorResponses(ApiErrorResponse, recordCommand("PROPOSAL_NOT_WITHDRAWABLE"))
  }).annotateMerge(texts(
    "Withdraw from a paid contract",
    "Exercises the customer's right of regret, until the seventh calendar day after the payment in America/Sao_Paulo. If a " +
      "cancellation was requested in time, but the lender reported the payment only later, the seven days begin with the " +
      "report. The proposal is `REFUND_PENDING` until the customer has paid the money back as `refund` describes, and " +
      "then `REFUNDED`. If the customer does not pay in time, it is `PAID` again. Requires `fgts:write`."
  )),
  HttpApiEndpoint.post("renewSignatureLink", "/:proposal_uuid/signature-link", {
    params: { proposal_uuid: recordId("The proposal's id") },
    headers: idempotencyKey,
    payload: Schema.toEncoded(RenewSignatureLinkRequest),
    success: PublicProposalDetailResponse.pipe(HttpApiSchema.status(202)),
    error: errorResponses(ApiErrorResponse, recordCommand("SIGNATURE_NOT_PENDING"))
  }).annotateMerge(texts(
    "Request a new signature link",
    "Requests a new signature link from the lender while the status is `AWAITING_SIGNATURE`. Poll the proposal: if " +
      "the lender returns a new link, `signature_url` changes. Send no body. Requires `fgts:write`."
  ))
).prefix("/api/v1/proposals").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Proposals are contracts created by accepting offers, tracked until the customer is paid."
})) {}
