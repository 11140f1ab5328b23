import { kycFields, kycFindings, optionalFields } from "@lastro/domain"
import { Schema } from "effect"

/** The body that submits KYC: whatever of it is known. What follows from a KYC may be sent back and is ignored. */
export const SubmitFgtsKycRequest = Schema.Struct(optionalFields({ ...kycFindings, ...kycFields })).annotate({
  identifier: "SubmitFgtsKycRequest"
})
export type SubmitFgtsKycRequest = typeof SubmitFgtsKycRequest.Encoded
