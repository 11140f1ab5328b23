import { Schema } from "effect"
import { type PersonalDataView } from "../../identity/PersonalDataView.ts"
import { kycFields, type KycSubject, type KycValues, noKyc } from "./KycValues.ts"
import { missingFields } from "./missingFields.ts"
import { toldFields } from "./prefill.ts"

/** How far the KYC is. */
export const KycStatus = Schema.Literals(["EMPTY", "PREFILLED", "PARTIAL", "COMPLETE", "LOCKED"]).annotate({
  description: "PREFILLED: nothing was submitted, and what is shown is a suggestion; LOCKED: an offer was accepted, " +
    "and only where to pay can be corrected, while next_action is FIX_DISBURSEMENT"
})
export type KycStatus = typeof KycStatus.Type

/** What follows from a KYC; accepted and ignored on input, so that what was read can be edited and sent back. */
export const kycFindings = {
  complete: Schema.Boolean,
  missing_fields: Schema.Array(Schema.String),
  status: KycStatus,
  prefilled_fields: Schema.Array(Schema.String)
}

/** What is known of the customer, and what is missing. */
export const FgtsKyc = Schema.Struct({ ...kycFindings, ...kycFields }).annotate({ identifier: "FgtsKyc" })
export type FgtsKyc = typeof FgtsKyc.Type

/**
 * `complete` and `missing_fields` consider submitted values only. Before the first submission the suggested values are shown and listed
 * in `prefilled_fields`.
 * @rule KYC-04
 */
export const fgtsKyc = (application: KycSubject, suggested: KycValues): FgtsKyc => {
  const submitted = application.kyc ?? noKyc
  const missing = missingFields(submitted)
  const prefilled = application.kyc === null ? toldFields(suggested) : []
  return {
    complete: missing.length === 0,
    missing_fields: missing,
    status: application.proposal !== null
      ? "LOCKED"
      : application.kyc !== null && toldFields(submitted).length > 0
      ? missing.length === 0 ? "COMPLETE" : "PARTIAL"
      : prefilled.length > 0
      ? "PREFILLED"
      : "EMPTY",
    prefilled_fields: prefilled,
    ...(application.kyc ?? suggested)
  }
}

/**
 * A caller without `kyc:read` sees the derived fields of a KYC (`complete`, `missing_fields`, `status`) but none of its values.
 * @rule KYC-10
 */
export const shownKyc = (view: PersonalDataView) => (kyc: FgtsKyc): FgtsKyc =>
  view === "full" ? kyc : { ...kyc, ...noKyc, prefilled_fields: [] }
