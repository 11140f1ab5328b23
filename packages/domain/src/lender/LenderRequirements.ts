import { basicRequirements, type KycRequirements } from "../kyc/KycRequirements.ts"

/** The limits that a lender sets for the calls of all nodes of an installation together. Null means no limit. */
export interface LenderThrottleLimits {
  /** Maximum rate of calls. Decimals are allowed: 0.5 is one call every two seconds. */
  readonly requests_per_second: number | null
  /** Maximum number of calls in progress at the same time. */
  readonly max_in_flight: number | null
}

/** The requirements and limits of a lender. An adapter declares them as a constant. */
export interface LenderRequirements extends KycRequirements {
  /** The name of the lender in the path of its callbacks and in logs: lower-case letters, digits and hyphens. */
  readonly name: string
  readonly throttle: LenderThrottleLimits
}

/**
 * Returns the requirements of a lender that requires no additional KYC fields, supports every disbursement method, and
 * sets no limits.
 */
export const noRequirements = (name: string): LenderRequirements => ({
  name,
  ...basicRequirements,
  throttle: { requests_per_second: null, max_in_flight: null }
})

/**
 * A lender's KYC requirements are recorded when an application is opened, and again with each new quote. If the lender
 * changes them, the application keeps the recorded ones until its next quote.
 * @rule FGTS-49
 */
export const kycRequirementsOf = (
  { disbursement_methods, kyc_fields }: LenderRequirements
): KycRequirements => ({ kyc_fields, disbursement_methods })
