import { kycFields, kycFindings } from "@lastro/domain/fgts"
import { optionalFields } from "@lastro/domain/patch"
import { Schema } from "effect"

/** The request body that submits KYC, in whole or in part. The derived fields are ignored. */
export const SubmitFgtsKycRequest = Schema.Struct(optionalFields({ ...kycFindings, ...kycFields })).annotate({
  identifier: "SubmitFgtsKycRequest",
  description: "KYC data, all or a part. `null` clears a field. Groups are merged field by field."
})
export type SubmitFgtsKycRequest = typeof SubmitFgtsKycRequest.Encoded
