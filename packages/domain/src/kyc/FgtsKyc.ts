import { Schema } from "effect"
import { type PersonalDataView } from "../access/PersonalDataView.ts"
import { field } from "../input/field.ts"
import { kycForLender, lenderKycFields } from "./KycRequirements.ts"
import { emptyKyc, kycFields, type KycSubject, type KycValues } from "./KycValues.ts"
import { missingFields } from "./missingFields.ts"
import { submittedFields } from "./prefill.ts"

/** The progress of a KYC. LOCKED: it can no longer change. */
export const KycStatus = Schema.Literals(["EMPTY", "PREFILLED", "PARTIAL", "COMPLETE", "LOCKED"]).annotate({
  identifier: "KycStatus",
  description:
    "KYC status. `PREFILLED`: nothing was submitted and the values are suggestions. `LOCKED`: an offer was " +
    "accepted or the application was cancelled. Only the disbursement account can then change, while `next_action` is " +
    "`FIX_DISBURSEMENT`. While `next_action` is `FIX_KYC`, the KYC is not locked: the fields that the lender refuses can change.",
  examples: ["COMPLETE"]
})
export type KycStatus = typeof KycStatus.Type

const readOnly = <S extends Schema.Top>(schema: S): S["Rebuild"] => schema.annotateKey({ readOnly: true })

/** The derived fields of a KYC. Requests can contain them, but they are ignored. */
export const kycFindings = {
  complete: readOnly(field(Schema.Boolean, "True when no required field is missing", true)),
  missing_fields: readOnly(
    field(
      Schema.Array(Schema.String),
      "Paths of the required fields that are missing, and of the fields that the lender refuses",
      []
    )
  ),
  status: readOnly(KycStatus),
  prefilled_fields: readOnly(field(Schema.Array(Schema.String), "Paths of the fields whose values are suggestions", []))
}

/** The KYC of an application: its values, and the fields derived from them. */
export const FgtsKyc = Schema.Struct({ ...kycFindings, ...kycFields }).annotate({
  identifier: "FgtsKyc",
  description: "KYC data of the customer. Unknown values are null."
})
export interface FgtsKyc extends Schema.Schema.Type<typeof FgtsKyc> {}

/**
 * `complete` and `missing_fields` are computed from submitted values only. Fields that the lender refuses count as
 * missing. Before the first submission, the KYC contains suggested values, and `prefilled_fields` lists them.
 * @rule KYC-04
 */
export const fgtsKyc = (application: KycSubject, suggested: KycValues): FgtsKyc => {
  const suggestion = kycForLender(suggested, application.requirements)
  const missing = fieldsToSubmit(application)
  const prefilled = application.kyc === null ? submittedFields(suggestion) : []
  return {
    complete: missing.length === 0,
    missing_fields: missing,
    status: kycStatus(application, missing, prefilled),
    prefilled_fields: prefilled,
    ...(application.kyc === null ? suggestion : kycForLender(application.kyc, application.requirements))
  }
}

/** Returns the additional fields that a KYC has for its lender, each with the value `null`. */
const nullLenderValues = (kyc: FgtsKyc): Partial<FgtsKyc> =>
  Object.fromEntries(lenderKycFields.filter((field) => Object.hasOwn(kyc, field)).map((field) => [field, null]))

/** Lists the required fields that are missing, and those that the lender refuses. */
const fieldsToSubmit = (
  { kyc, proposal, requirements }: Pick<KycSubject, "kyc" | "proposal" | "requirements">
): ReadonlyArray<string> => [
  ...new Set([...missingFields(kyc ?? emptyKyc, requirements), ...(proposal?.refused_fields ?? [])])
]

export const isKycComplete = (application: Pick<KycSubject, "kyc" | "proposal" | "requirements">): boolean =>
  fieldsToSubmit(application).length === 0

const kycStatus = (
  { cancellation, kyc, proposal }: KycSubject,
  missing: ReadonlyArray<string>,
  prefilled: ReadonlyArray<string>
): KycStatus => {
  if (cancellation !== null || proposal !== null && proposal.status !== "CORRECTION_NEEDED") return "LOCKED"
  if (kyc !== null && submittedFields(kyc).length > 0) return missing.length === 0 ? "COMPLETE" : "PARTIAL"
  return prefilled.length > 0 ? "PREFILLED" : "EMPTY"
}

/**
 * A caller without `kyc:read` sees the derived fields of a KYC (`complete`, `missing_fields`, `status`) but none of its
 * values.
 * @rule KYC-10
 */
export const maskKyc = (view: PersonalDataView) => <Kyc extends FgtsKyc>(kyc: Kyc): Kyc =>
  view === "full" ? kyc : { ...kyc, ...emptyKyc, ...nullLenderValues(kyc), prefilled_fields: [] }
