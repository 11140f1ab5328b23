import { Predicate, Struct } from "effect"
import { type DisbursementMethod, type KycValues } from "./KycValues.ts"
import { lenderKycSchemas } from "./lenderFields.ts"

/** The KYC fields that a lender can require in addition to those that every lender requires. */
export const lenderKycFields = Struct.keys(lenderKycSchemas)
/** The name of a KYC field that only some lenders require. */
export type LenderKycField = keyof typeof lenderKycSchemas

/** The KYC requirements of a lender, as recorded with the application. */
export interface KycRequirements {
  /** The KYC fields that the lender requires in addition to those that every lender requires. */
  readonly kyc_fields: ReadonlyArray<LenderKycField>
  /** The disbursement methods that the lender supports. */
  readonly disbursement_methods: ReadonlyArray<DisbursementMethod>
}

/** For applications opened before Lastro recorded requirements: only the fields that every lender requires. */
export const basicRequirements: KycRequirements = { kyc_fields: [], disbursement_methods: ["PIX", "BANK_TRANSFER"] }

/**
 * Returns the combined requirements of several lenders: all fields, and each method that at least one lender supports.
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

/** Returns whether a value counts as submitted. An empty list does not. */
const isPresent = (value: unknown): boolean =>
  Predicate.isNotNullish(value) && !(Array.isArray(value) && value.length === 0)

const isNeeded = (field: LenderKycField, { civil_status }: KycValues): boolean =>
  field !== "spouse_name" || civil_status === "MARRIED" || civil_status === "STABLE_UNION"

/**
 * The additional KYC fields of a lender are required in the applications of this lender. The name of the spouse is
 * required only if the customer is married or lives in a stable union. For `documents`, one document is enough, because
 * Lastro does not know which kinds the lender needs.
 * @rule KYC-13
 */
export const missingLenderFields = (
  values: KycValues,
  { kyc_fields }: KycRequirements = basicRequirements
): ReadonlyArray<LenderKycField> =>
  lenderKycFields.filter((field) => kyc_fields.includes(field) && isNeeded(field, values) && !isPresent(values[field]))

/**
 * Responses and the lender contain only those additional KYC fields that the application's lender requires. A required
 * field without a value is `null` in a response.
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
 * A contract is paid only by a disbursement method that the application's lender supports. Without a chosen method, the
 * check succeeds.
 * @rule KYC-15
 */
export const isSupportedMethod = (
  method: DisbursementMethod | null,
  { disbursement_methods }: KycRequirements = basicRequirements
): boolean => method === null || disbursement_methods.includes(method)

/** Returns a KYC in its stored form: without the lender's additional fields that have no value. */
export const withoutEmptyLenderFields = (values: KycValues): KycValues => {
  const empty = lenderKycFields.filter((field) => Object.hasOwn(values, field) && !isPresent(values[field]))
  return empty.length === 0 ? values : Struct.omit(values, empty) as KycValues
}

/** Returns a KYC with exactly those additional fields that the application's lender requires. */
export const kycForLender = (values: KycValues, requirements: KycRequirements | undefined): KycValues => ({
  ...Struct.omit(values, lenderKycFields),
  ...requiredLenderFields(values, requirements)
})
