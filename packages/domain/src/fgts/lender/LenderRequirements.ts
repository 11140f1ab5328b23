import { type DisbursementMethod } from "../kyc/KycValues.ts"

/** The KYC fields that a lender can require in addition to those that every lender requires. */
export const lenderKycFields = ["profession", "monthly_income", "education", "spouse_name", "documents"] as const
export type LenderKycField = typeof lenderKycFields[number]

/** The limits that a lender sets for the calls of all nodes of an installation together. Null means no limit. */
export interface LenderThrottleLimits {
  /** Maximum rate of calls. Decimals are allowed: 0.5 is one call every two seconds. */
  readonly requests_per_second: number | null
  /** Maximum number of calls that are in progress at the same time. */
  readonly max_in_flight: number | null
}

/** What a lender requires. An adapter declares it as a constant. */
export interface LenderRequirements {
  /** The name of the lender in the path of its callbacks, and in logs: lower-case letters, digits and hyphens. */
  readonly name: string
  /** The KYC fields that this lender requires in addition. */
  readonly kyc_fields: ReadonlyArray<LenderKycField>
  /** The disbursement methods that this lender supports. */
  readonly disbursement_methods: ReadonlyArray<DisbursementMethod>
  readonly throttle: LenderThrottleLimits
}

/** A lender that requires nothing in addition, supports every disbursement method, and sets no limits. */
export const noRequirements = (name: string): LenderRequirements => ({
  name,
  kyc_fields: [],
  disbursement_methods: ["PIX", "BANK_TRANSFER"],
  throttle: { requests_per_second: null, max_in_flight: null }
})
