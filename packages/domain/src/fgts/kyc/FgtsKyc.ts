import { Schema } from "effect"
import { type PersonalDataView } from "../../identity/PersonalDataView.ts"
import { field } from "../../validation/field.ts"
import { kycForLender, lenderKycFields } from "./KycRequirements.ts"
import { emptyKyc, kycFields, type KycSubject, type KycValues } from "./KycValues.ts"
import { missingFields } from "./missingFields.ts"
import { submittedFields } from "./prefill.ts"

/** The progress of a KYC. */
export const KycStatus = Schema.Literals(["EMPTY", "PREFILLED", "PARTIAL", "COMPLETE", "LOCKED"]).annotate({
  description:
    "KYC status. `PREFILLED`: nothing was submitted and the values are suggestions. `LOCKED`: an offer was " +
    "accepted. Only the disbursement account can then change, while `next_action` is `FIX_DISBURSEMENT`.",
  examples: ["COMPLETE"]
})
export type KycStatus = typeof KycStatus.Type

const readOnly = <S extends Schema.Top>(schema: S): S["Rebuild"] => schema.annotateKey({ readOnly: true })

/** The derived fields of a KYC. In a request, they are ignored. */
export const kycFindings = {
  complete: readOnly(field(Schema.Boolean, "True when no required field is missing", true)),
  missing_fields: readOnly(field(Schema.Array(Schema.String), "Paths of the required fields that are missing", [])),
  status: readOnly(KycStatus),
  prefilled_fields: readOnly(field(Schema.Array(Schema.String), "Paths of the fields whose values are suggestions", []))
}

/** The KYC of an application: its values, and the fields derived from them. */
export const FgtsKyc = Schema.Struct({ ...kycFindings, ...kycFields }).annotate({
  identifier: "FgtsKyc",
  description: "KYC data of the customer. Unknown values are null."
})
export type FgtsKyc = typeof FgtsKyc.Type

/**
 * `complete` and `missing_fields` are computed from submitted values only. Before the first submission, the KYC contains suggested values,
 * and `prefilled_fields` lists them.
 * @rule KYC-04
 */
export const fgtsKyc = (application: KycSubject, suggested: KycValues): FgtsKyc => {
  const submitted = application.kyc ?? emptyKyc
  const suggestion = kycForLender(suggested, application.requirements)
  const missing = missingFields(submitted, application.requirements)
  const prefilled = application.kyc === null ? submittedFields(suggestion) : []
  return {
    complete: missing.length === 0,
    missing_fields: missing,
    status: application.proposal !== null
      ? "LOCKED"
      : application.kyc !== null && submittedFields(submitted).length > 0
      ? missing.length === 0 ? "COMPLETE" : "PARTIAL"
      : prefilled.length > 0
      ? "PREFILLED"
      : "EMPTY",
    prefilled_fields: prefilled,
    ...(application.kyc === null ? suggestion : kycForLender(application.kyc, application.requirements))
  }
}

/** Returns the lender's additional fields of a KYC, each without its value. */
const withoutLenderValues = (kyc: FgtsKyc): Partial<FgtsKyc> =>
  Object.fromEntries(lenderKycFields.filter((field) => Object.hasOwn(kyc, field)).map((field) => [field, null]))

/**
 * A caller without `kyc:read` sees the derived fields of a KYC (`complete`, `missing_fields`, `status`) but none of its values.
 * @rule KYC-10
 */
export const maskKyc = (view: PersonalDataView) => (kyc: FgtsKyc): FgtsKyc =>
  view === "full" ? kyc : { ...kyc, ...emptyKyc, ...withoutLenderValues(kyc), prefilled_fields: [] }
