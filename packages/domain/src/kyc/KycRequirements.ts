import { Struct } from "effect"
import { type DisbursementMethod, type KycValues } from "./KycValues.ts"
import { lenderKycSchemas } from "./lenderFields.ts"

/** The KYC fields that a lender can require in addition to those that every lender requires. */
export const lenderKycFields = Struct.keys(lenderKycSchemas)
/** The name of a KYC field that only some lenders require. */
export type LenderKycField = keyof typeof lenderKycSchemas

/** The requirements of a lender for the KYC of an application. They are recorded with the application. */
export interface KycRequirements {
  /** The KYC fields that the lender requires in addition to those that every lender requires. */
  readonly kyc_fields: ReadonlyArray<LenderKycField>
  /** The disbursement methods that the lender supports. */
  readonly disbursement_methods: ReadonlyArray<DisbursementMethod>
}

/**
 * The requirements of an application that was opened before Lastro recorded requirements: only the fields that every
 * lender requires.
 */
export const basicRequirements: KycRequirements = { kyc_fields: [], disbursement_methods: ["PIX", "BANK_TRANSFER"] }

/**
 * Returns the requirements of several lenders together: all their fields, and every method that one of them supports.
 */
export const unionOfRequirements = (all: ReadonlyArray<KycRequirements>): KycRequirements => {
  const [first] = all
  return first !== undefined && all.length === 1 ? first : {
    kyc_fields: lenderKycFields.filter((field) => all.some(({ kyc_fields }) => kyc_fields.includes(field))),
    disbursement_methods: basicRequirements.disbursement_methods.filter((method) =>
      all.some(({ disbursement_methods }) => disbursement_methods.includes(method))
    )
  }
}

/** Returns whether a value counts as submitted. An empty list does not count. */
const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

const isNeeded = (field: LenderKycField, { civil_status }: KycValues): boolean =>
  field !== "spouse_name" || civil_status === "MARRIED" || civil_status === "STABLE_UNION"

/**
 * A lender's additional KYC fields are required in the applications of this lender. The name of the spouse is required
 * only of a customer who is married or lives in a stable union. For `documents`, one document is enough, because Lastro
 * does not know which kinds of documents the lender needs.
 * @rule KYC-13
 */
export const missingLenderFields = (
  values: KycValues,
  { kyc_fields }: KycRequirements = basicRequirements
): ReadonlyArray<LenderKycField> =>
  lenderKycFields.filter((field) => kyc_fields.includes(field) && isNeeded(field, values) && !isPresent(values[field]))

/**
 * Of the additional KYC fields, responses show only those that the application's lender requires, and the lender
 * receives only these. A required field without a value is `null` in a response.
 * @rule KYC-14
 */
export const requiredLenderFields = (
  values: KycValues,
  { kyc_fields }: KycRequirements = basicRequirements
): Pick<KycValues, LenderKycField> =>
  Object.fromEntries(
    lenderKycFields.filter((field) => kyc_fields.includes(field)).map((field) => [field, values[field] ?? null])
  )

/**
 * A contract is paid only by a disbursement method that the application's lender supports. While no method is chosen,
 * the check succeeds.
 * @rule KYC-15
 */
export const isSupportedMethod = (
  method: DisbursementMethod | null,
  { disbursement_methods }: KycRequirements = basicRequirements
): boolean => method === null || disbursement_methods.includes(method)

/**
 * Returns a KYC without those additional fields of the lender that have no value. This is the form in which a KYC is
 * stored.
 */
export const withoutEmptyLenderFields = (values: KycValues): KycValues => {
  const empty = lenderKycFields.filter((field) => Object.hasOwn(values, field) && !isPresent(values[field]))
  return empty.length === 0 ? values : Struct.omit(values, empty) as KycValues
}

/** Returns a KYC with exactly the additional fields that the application's lender requires. */
export const kycForLender = (values: KycValues, requirements: KycRequirements | undefined): KycValues => ({
  ...Struct.omit(values, lenderKycFields),
  ...requiredLenderFields(values, requirements)
})
