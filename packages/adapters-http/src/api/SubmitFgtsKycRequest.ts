import { optionalFields } from "@lastro/domain/input"
import { kycFields, kycFindings } from "@lastro/domain/kyc"
import { Schema } from "effect"

/** The request body that submits all or part of the KYC data. Derived fields are ignored. */
export const SubmitFgtsKycRequest = Schema.Struct(optionalFields({ ...kycFindings, ...kycFields })).annotate({
  identifier: "SubmitFgtsKycRequest",
  description: "All or part of the KYC data. `null` clears a field. Groups are merged field by field."
})
export type SubmitFgtsKycRequest = typeof SubmitFgtsKycRequest.Encoded
