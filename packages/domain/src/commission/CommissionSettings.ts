import { Context } from "effect"

/** The operator's settings for commissions. */
export interface CommissionSettingsValues {
  /** The time from the payment of a contract to the day on which its commission is payable, in milliseconds. */
  readonly hold_ms: number
}

/** The default settings: the seven days of the right of regret, and one more. */
export const defaultCommissionSettings: CommissionSettingsValues = { hold_ms: 8 * 24 * 60 * 60_000 }

/** The operator's settings for commissions. Default: {@link defaultCommissionSettings}. */
export const CommissionSettings = Context.Reference<CommissionSettingsValues>(
  "@lastro/domain/commission/CommissionSettings",
  { defaultValue: () => defaultCommissionSettings }
)
