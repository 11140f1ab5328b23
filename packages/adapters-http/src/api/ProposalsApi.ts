import {
  externalIdBounds,
  proposalSortFields,
  ProposalsPage,
  ProposalStatus,
  PublicProposalDetailResponse
} from "@lastro/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer } from "./Bearer.ts"
import { idFilter, listQuery, textFilter } from "./listQuery.ts"
import { recordId } from "./pathParams.ts"
import { authenticated, record, refusals } from "./refusals.ts"

/** The query parameter that bounds a time. */
const timeFilter = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({
    description: `${description}: an instant, ISO 8601 with its offset, or a day in America/Sao_Paulo, YYYY-MM-DD`,
    examples: [example]
  }))

const from = "from this time on"
const to = "before this instant, or until the end of this day"

/** Proposals: the contracts that accepted offers become. */
export class ProposalsApi extends HttpApiGroup.make("proposals").add(
  HttpApiEndpoint.get("listProposals", "/", {
    query: {
      ...listQuery(proposalSortFields),
      cpf: Schema.optionalKey(Schema.String.annotate({
        description: "The customer's CPF, the whole of it; dots, dashes, slashes and spaces are dropped",
        examples: ["529.982.247-25"]
      })),
      customer_name: textFilter("the customer's name", "conceicao"),
      external_id: Schema.optionalKey(Schema.String.annotate({
        description: "The consumer's own reference, the whole of it",
        maxLength: externalIdBounds.max,
        examples: ["loan-4711"]
      })),
      status: Schema.optionalKey(
        Schema.Literals(ProposalStatus.literals).annotate({ description: "The proposal's status" })
      ),
      partner_id: idFilter("Proposals of this partner only"),
      created_from: timeFilter(`Created: ${from}`, "2026-01-31"),
      created_to: timeFilter(`Created: ${to}`, "2026-01-31"),
      updated_from: timeFilter(`Changed: ${from}`, "2026-01-31T12:00:00.000Z"),
      updated_to: timeFilter(`Changed: ${to}`, "2026-01-31T12:00:00.000Z")
    },
    success: ProposalsPage,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "List proposals",
    description:
      "A page of the proposals of the partners in the caller's subtree. Filters combine with AND. Customers' " +
      "CPFs are masked. Needs `proposals:read`."
  })),
  HttpApiEndpoint.get("getProposal", "/:proposal_uuid", {
    params: { proposal_uuid: recordId("The proposal's id", "0197f3a2-d394-75c6-80c2-738495a6b7c8") },
    success: PublicProposalDetailResponse,
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", ...record, ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read a proposal",
    description: "A proposal of the caller's subtree, whole. Where the customer is paid is masked to the last four " +
      "characters; without `kyc:read` the CPF is masked too. Needs `proposals:read`."
  }))
).prefix("/api/v1/proposals").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Proposals are the contracts that accepted offers become, followed until the customer is paid."
})) {}
