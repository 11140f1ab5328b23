import {
  proposalSortFields,
  ProposalsPage,
  ProposalStatus,
  PublicProposalDetailResponse
} from "@lastro/domain/proposal"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer } from "./Bearer.ts"
import { cpfFilter, externalIdFilter, idFilter, listQuery, textFilter, timeFilters } from "./listQuery.ts"
import { recordId } from "./pathParams.ts"
import { authenticated, record, refusals } from "./refusals.ts"

/** Proposals: contracts created by accepting offers. */
export class ProposalsApi extends HttpApiGroup.make("proposals").add(
  HttpApiEndpoint.get("listProposals", "/", {
    query: {
      ...listQuery(proposalSortFields),
      cpf: cpfFilter,
      customer_name: textFilter("the customer's name"),
      external_id: externalIdFilter,
      status: Schema.optionalKey(
        Schema.Literals(ProposalStatus.literals).annotate({ description: "The proposal's status" })
      ),
      partner_id: idFilter("Proposals of this partner only"),
      ...timeFilters
    },
    success: ProposalsPage,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "List proposals",
    description:
      "Returns a page of the proposals in the caller's subtree. Filters combine with AND. CPFs are masked. Requires " +
      "`proposals:read`."
  })),
  HttpApiEndpoint.get("getProposal", "/:proposal_uuid", {
    params: { proposal_uuid: recordId("The proposal's id") },
    success: PublicProposalDetailResponse,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", ...record, ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Get a proposal",
    description:
      "Returns a proposal in the caller's subtree. The disbursement account is masked except for its last four " +
      "characters. The CPF is masked for callers without `kyc:read`. Requires `proposals:read`."
  }))
).prefix("/api/v1/proposals").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Proposals are contracts created by accepting offers, tracked until the customer is paid."
})) {}
