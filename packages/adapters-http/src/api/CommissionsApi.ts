import {
  CommissionPlan,
  CommissionPlansPage,
  CommissionsPage,
  EntryKind,
  entrySortFields,
  EntryStatus,
  NewPlanRequest,
  planSortFields
} from "@lastro/domain/commission"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, recordId } from "./endpointParts.ts"
import { authenticated, body, errorResponses, idempotency, record } from "./errorResponses.ts"
import { exactFilter, formatQuery, idFilter, listQuery, partnerFilters } from "./listQuery.ts"

const params = { partner_uuid: recordId("The partner's id") }

const period = (description: string) => Schema.String.annotate({ description: `${description}, YYYY-MM` })

const reading = ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated] as const

/** Commission plans, and the ledger of commissions. */
export class CommissionsApi extends HttpApiGroup.make("commissions").add(
  HttpApiEndpoint.post("createCommissionPlan", "/partners/:partner_uuid/commission-plans", {
    params,
    headers: idempotencyKey,
    payload: Schema.toEncoded(NewPlanRequest),
    success: CommissionPlan.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "OWN_PARTNER",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Write a commission plan",
    description:
      "Writes the plan of a partner below the caller's own, or of the caller's own root. A root's plan states the percent " +
      "of the contract that the lender pays. Every other plan states the percent of the parent's commission that the " +
      "partner receives. Plans never change: write a new one, with `rates: []` to end the commission. Requires " +
      "`commissions:write`."
  })),
  HttpApiEndpoint.get("listCommissionPlans", "/partners/:partner_uuid/commission-plans", {
    params,
    query: listQuery(planSortFields),
    success: CommissionPlansPage,
    error: errorResponses(ApiErrorResponse, ["PERMISSION_DENIED", ...record, "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "List the commission plans of a partner",
    description: "Returns a page of the plans of a partner in the caller's subtree. Requires `commissions:read`."
  })),
  HttpApiEndpoint.get("getCurrentCommissionPlan", "/partners/:partner_uuid/commission-plans/current", {
    params,
    query: {
      on: Schema.optionalKey(Schema.String.annotate({ description: "The São Paulo day, YYYY-MM-DD. Default: today." }))
    },
    success: CommissionPlan,
    error: errorResponses(ApiErrorResponse, ["PERMISSION_DENIED", ...record, "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Get the commission plan that counts",
    description:
      "Returns the plan of a partner in the caller's subtree that counts on a day. 404 if there is none. Requires " +
      "`commissions:read`."
  })),
  HttpApiEndpoint.get("listCommissions", "/commissions", {
    query: {
      ...listQuery(entrySortFields),
      ...formatQuery,
      ...partnerFilters("Entries"),
      period: Schema.optionalKey(period("Entries of this São Paulo month only")),
      status: Schema.optionalKey(EntryStatus),
      kind: Schema.optionalKey(EntryKind),
      proposal_id: idFilter("Entries of this contract only"),
      lender: exactFilter("The lender's code")
    },
    success: CommissionsPage,
    error: errorResponses(ApiErrorResponse, reading)
  }).annotateMerge(OpenApi.annotations({
    summary: "List commission entries",
    description:
      "Returns a page of the entries of the caller's partner, and of the partners that were below it when the offers were " +
      "accepted. Requires `commissions:read`."
  }))
).prefix("/api/v1").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "The lender pays a commission to the root. Each partner passes a part on to the partner below it. The shares are " +
    "frozen when an offer is accepted."
})) {}
