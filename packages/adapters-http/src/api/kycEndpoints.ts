import { optionalFields } from "@lastro/domain/input"
import { FgtsKycAnswer } from "@lastro/domain/origination"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { applicationId, idempotencyKey, texts } from "./endpointParts.ts"
import { errorResponses, read, recordCommand } from "./errorResponses.ts"

/** The body that submits KYC data, in whole or in part. Derived fields are ignored. */
export const SubmitFgtsKycRequest = Schema.Struct(optionalFields(FgtsKycAnswer.fields)).annotate({
  identifier: "SubmitFgtsKycRequest",
  description: "All or part of the KYC data. `null` clears a field. Groups are merged field by field."
})
export type SubmitFgtsKycRequest = typeof SubmitFgtsKycRequest.Encoded

/** Operations on KYC, the customer data that a lender requires for an acceptance. */
export const kycEndpoints = [
  HttpApiEndpoint.get("getKyc", "/:id/kyc", {
    params: applicationId,
    success: Schema.toEncoded(FgtsKycAnswer),
    error: errorResponses(ApiErrorResponse, read())
  }).annotateMerge(texts(
    "Get KYC",
    "Returns the KYC data and the missing fields. `profession`, `monthly_income`, `education`, `spouse_name` and " +
      "`documents` are present only if the lender of the application requires them. Before the first submission, the " +
      "response contains suggestions, listed in `prefilled_fields`: the customer data of the application, and the " +
      "newest KYC of the same CPF and birth date in the subtree of the application's partner. Suggestions have no " +
      "effect until they are submitted and never contain a disbursement account. A read that discloses a value " +
      "leaves an audit entry, and stores nothing else. Requires `kyc:read`."
  )),
  HttpApiEndpoint.post("submitKyc", "/:id/kyc", {
    params: applicationId,
    headers: idempotencyKey,
    payload: Schema.toEncoded(SubmitFgtsKycRequest),
    success: Schema.toEncoded(FgtsKycAnswer),
    error: errorResponses(ApiErrorResponse, recordCommand("KYC_LOCKED", "KYC_INCOMPLETE"))
  }).annotateMerge(texts(
    "Submit KYC",
    "Merges the fields of the body into the submitted KYC data. Groups are merged field by field. `null` clears a " +
      "field. You can submit the data in parts and repeatedly until an offer is accepted. After that, you can change " +
      "only the disbursement account, and only while the last disbursement has failed. Submitting " +
      "`disbursement_method`, `pix` or `bank` then requests another disbursement. `complete`, `status`, " +
      "`next_action`, `missing_fields` and `prefilled_fields` are ignored, so you can edit a response and send it " +
      "back. A field that only some lenders require is ignored if the lender of the application does not require it. " +
      "Requires `fgts:write`. The response is masked for callers without `kyc:read`."
  ))
] as const
