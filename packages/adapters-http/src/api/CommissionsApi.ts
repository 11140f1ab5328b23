import {
  AdjustCommissionRequest,
  CloseCommissionsRequest,
  CommissionClosing,
  CommissionEntry,
  CommissionPayout,
  CommissionPlan,
  CommissionPlansPage,
  CommissionsPage,
  CommissionSummaryPage,
  CreatePayoutRequest,
  EntryKind,
  entrySortFields,
  EntryStatus,
  NewPlanRequest,
  payoutSortFields,
  PayoutsPage,
  planSortFields,
  StatementComparison,
  summarySortFields
} from "@lastro/domain/commission"
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse, BankerizeErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, recordId, texts } from "./endpointParts.ts"
import { command, errorResponses, list, read, recordCommand } from "./errorResponses.ts"
import { exactFilter, formatQuery, idFilter, listQuery, partnerFilters } from "./listQuery.ts"

const params = { partner_uuid: recordId("The partner's id") }

const period = (description: string) => Schema.String.annotate({ description: `${description}, YYYY-MM` })

const writing = command("OWN_PARTNER")

/** Commission plans, and the ledger of commissions. */
export class CommissionsApi extends HttpApiGroup.make("commissions").add(
  HttpApiEndpoint.post("createCommissionPlan", "/partners/:partner_uuid/commission-plans", {
    params,
    headers: idempotencyKey,
    payload: Schema.toEncoded(NewPlanRequest),
    success: CommissionPlan.pipe(HttpApiSchema.status(201)),
    error: errorResponses(BankerizeErrorResponse, recordCommand("OWN_PARTNER"))
  }).annotateMerge(texts(
    "Write a commission plan",
    "Writes the plan of a partner below the caller's own, or of the caller's own root. A root's plan states the percent " +
      "of the contract that the lender pays. Every other plan states the percent of the parent's commission that the " +
      "partner receives. Plans never change: write a new one, with `rates: []` to end the commission. Requires " +
      "`commissions:write`."
  )),
  HttpApiEndpoint.get("listCommissionPlans", "/partners/:partner_uuid/commission-plans", {
    params,
    query: listQuery(planSortFields),
    success: CommissionPlansPage,
    error: errorResponses(BankerizeErrorResponse, read("VALIDATION_FAILED"))
  }).annotateMerge(texts(
    "List the commission plans of a partner",
    "Returns a page of the plans of a partner in the caller's subtree. Requires `commissions:read`."
  )),
  HttpApiEndpoint.get("getCurrentCommissionPlan", "/partners/:partner_uuid/commission-plans/current", {
    params,
    query: {
      on: Schema.optionalKey(Schema.String.annotate({ description: "The São Paulo day, YYYY-MM-DD. Default: today." }))
    },
    success: CommissionPlan,
    error: errorResponses(BankerizeErrorResponse, read("VALIDATION_FAILED"))
  }).annotateMerge(texts(
    "Get the commission plan that counts",
    "Returns the plan of a partner in the caller's subtree that is in force on a day. 404 if there is none. Requires " +
      "`commissions:read`."
  )),
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
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List commission entries",
    "Returns a page of the entries of the caller's partner, and of the partners that were below it when the offers were " +
      "accepted. Requires `commissions:read`."
  )),
  HttpApiEndpoint.get("summarizeCommissions", "/commissions/summary", {
    query: {
      ...Struct.omit(listQuery(summarySortFields), ["after"]),
      period: Schema.optionalKey(period("The São Paulo month. Default: the present one")),
      partner_id: idFilter("The summary of this partner only")
    },
    success: CommissionSummaryPage,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "Summarize commissions",
    "Returns the sums of a São Paulo month for each partner that has entries in it, and the sums over all of them. It " +
      "counts the entries that `GET /commissions` lists. Requires `commissions:read`."
  )),
  HttpApiEndpoint.post("adjustCommission", "/commissions/adjustments", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(AdjustCommissionRequest),
    success: CommissionEntry.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, writing)
  }).annotateMerge(texts(
    "Adjust the commissions of a partner",
    "Adds an amount to the balance of a partner below the caller's own. Requires `commissions:write`."
  )),
  HttpApiEndpoint.post("closeCommissions", "/commissions/closings", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CloseCommissionsRequest),
    success: CommissionClosing,
    error: errorResponses(ApiErrorResponse, writing)
  }).annotateMerge(texts(
    "Close a period",
    "Closes the open entries of a partner, of a past São Paulo month and of earlier ones, that are payable today. Entries " +
      "that are payable later stay open: ask again to close them, with the same `closing_id`. A request closes at most " +
      "5 000 entries: ask again until `complete` is true, each time with another idempotency key. Requires " +
      "`commissions:write`."
  )),
  HttpApiEndpoint.post("createCommissionPayout", "/commissions/payouts", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreatePayoutRequest),
    success: CommissionPayout.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, [...writing, "NOTHING_TO_PAY"])
  }).annotateMerge(texts(
    "Record a payout",
    "Records that the closed entries of a partner below the caller's own were paid. `amount` must be their sum. The taxes " +
      "are recorded, not computed. Requires `commissions:write`."
  )),
  HttpApiEndpoint.get("listCommissionPayouts", "/commissions/payouts", {
    query: { ...listQuery(payoutSortFields), partner_id: idFilter("Payouts to this partner only") },
    success: PayoutsPage,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List payouts",
    "Returns a page of the payouts that the caller's partner received, and of those that it or a partner below it made. " +
      "Requires `commissions:read`."
  )),
  HttpApiEndpoint.post("compareCommissionStatement", "/commissions/statements", {
    headers: idempotencyKey,
    query: {
      period: period("The São Paulo month of the payments and reversals that the statement must contain"),
      lender: Schema.String.annotate({ description: "The lender's code", examples: ["sandbox"] })
    },
    payload: Schema.String.annotate({
      description: "CSV (RFC 4180) in UTF-8, at most 1 MiB and 20 000 lines",
      examples: ["reference,paid_amount,commission_amount,paid_at\r\nC-1,1000.00,125.00,2026-10-05\r\n"]
    }).pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
    success: StatementComparison,
    error: errorResponses(ApiErrorResponse, command())
  }).annotateMerge(texts(
    "Compare a lender's statement",
    "Compares a lender's statement with the commissions that it pays to the root. Cells are separated by commas or " +
      "semicolons. In the line of a reversal, both amounts are negative. A problem names line and column: " +
      "`lines[3].paid_amount`, where the header is line 1. The same file for the same lender and period returns its first " +
      "result. Requires `commissions:write`, and only callers of the root can call it."
  ))
).prefix("/api/v1").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "The lender pays a commission to the root. Each partner passes a part on to the partner below it. The shares are " +
    "frozen when an offer is accepted."
})) {}
