import { Context } from "effect"
import { type OperatorRate } from "../offer/Policy.ts"
import { type Percent } from "../values/Percent.ts"

/** The operator's settings for the lender. */
export interface LenderSettingsValues extends OperatorRate {
  /**
   * Maximum time from the request of a quote to its final answer, if the lender has answered PENDING meanwhile. In
   * milliseconds.
   */
  readonly quote_deadline_ms: number
  /**
   * Maximum monthly rate of an offer. It lowers the limit of the policy, which also applies if this is null
   * (POLICY-09). Above the limit of the policy, it counts only with `max_monthly_rate_above_policy`.
   */
  readonly max_monthly_rate: Percent | null
  /** Overrides the rate that the lender requires; null means no limit. Absent: the rate that the lender requires. */
  readonly requests_per_second?: number | null | undefined
  /**
   * Overrides the number of concurrent calls that the lender requires; null means no limit. Absent: the number that the
   * lender requires.
   */
  readonly max_in_flight?: number | null | undefined
}

/**
 * The settings of an operator who sets nothing: 24 hours for a PENDING quote, the maximum rate of the policy, and the
 * limits that the lender requires.
 */
export const defaultLenderSettings: LenderSettingsValues = {
  quote_deadline_ms: 24 * 60 * 60_000,
  max_monthly_rate: null
}

/** The operator's settings for the lender. Default: {@link defaultLenderSettings}. */
export const LenderSettings = Context.Reference<LenderSettingsValues>(
  "@lastro/domain/lender/LenderSettings",
  { defaultValue: () => defaultLenderSettings }
)
