import { FgtsKyc } from "@lastro/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { applicationId } from "./pathParams.ts"
import { authenticated, body, idempotency, record, refusals } from "./refusals.ts"
import { idempotencyKey } from "./requestHeaders.ts"
import { SubmitFgtsKycRequest } from "./SubmitFgtsKycRequest.ts"

/** What the lender has to know of the customer: the part of FGTS origination that comes before an offer is accepted. */
export const fgtsKyc = [
  HttpApiEndpoint.get("getKyc", "/:id/kyc", {
    params: applicationId,
    success: Schema.toEncoded(FgtsKyc),
    error: refusals(ApiErrorResponse, ["PERMISSION_DENIED", ...record, ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read KYC, pre-filled",
    description:
      "What is known of the customer, and what is missing. Before anything was submitted it shows suggestions: " +
      "what the application says of the customer, and the newest KYC of the same CPF in the subtree of the application's " +
      "partner. They are named in `prefilled_fields`, count for nothing until they are submitted, and never say where to " +
      "pay. Reading stores nothing. Needs `kyc:read`."
  })),
  HttpApiEndpoint.post("submitKyc", "/:id/kyc", {
    params: applicationId,
    headers: idempotencyKey,
    payload: Schema.toEncoded(SubmitFgtsKycRequest),
    success: Schema.toEncoded(FgtsKyc),
    error: refusals(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "KYC_LOCKED",
      "KYC_INCOMPLETE",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Submit KYC",
    description:
      "Merges what is sent into what was submitted before, groups field by field; `null` clears. It may be sent in parts " +
      "and again until an offer is accepted. Afterwards only where to pay can change, while the last payment failed: " +
      "submitting `disbursement_method`, `pix` or `bank` then asks for another payment. `complete`, `status`, " +
      "`missing_fields` and `prefilled_fields` are ignored, so that what was read can be edited and sent back. Needs " +
      "`fgts:write`; without `kyc:read` the answer is masked."
  }))
] as const
