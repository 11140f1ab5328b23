import { Context } from "effect"
import { type OperatorRate } from "../offer/FgtsPolicy.ts"
import { type Percent } from "../values/Percent.ts"

/** The operator's settings for the lender. */
export interface LenderSettingsValues extends OperatorRate {
  /** Maximum time from the request of a quote to its final answer, if the lender answered PENDING. In milliseconds. */
  readonly quote_deadline_ms: number
  /**
   * Maximum monthly rate of an offer. Null: the limit of the policy (POLICY-09). A rate above this limit counts only
   * with `max_monthly_rate_above_policy`.
   */
  readonly max_monthly_rate: Percent | null
  /** Overrides the lender's own rate limit. Null: no limit. Absent: the lender's own. */
  readonly requests_per_second?: number | null | undefined
  /** Overrides the lender's own limit of concurrent calls. Null: no limit. Absent: the lender's own. */
  readonly max_in_flight?: number | null | undefined
}

/** The default settings: 24 hours for a PENDING quote, the maximum rate of the policy, and the lender's own limits. */
export const defaultLenderSettings: LenderSettingsValues = {
  quote_deadline_ms: 24 * 60 * 60_000,
  max_monthly_rate: null
}

/** The operator's settings for the lender. Default: {@link defaultLenderSettings}. */
export const LenderSettings = Context.Reference<LenderSettingsValues>(
  "@lastro/domain/lender/LenderSettings",
  { defaultValue: () => defaultLenderSettings }
)
