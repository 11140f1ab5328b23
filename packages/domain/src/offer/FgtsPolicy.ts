import { Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type CalendarDate, calendarDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { type Percent, percent } from "../values/Percent.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The limits for the anticipation of annual FGTS withdrawals, in force from a given day. All limits are inclusive. */
export interface FgtsPolicy {
  /** The name of the resolution, with its stage if it has several. Offers contain this version. */
  readonly version: string
  /** The first day in force, in America/Sao_Paulo. */
  readonly from: CalendarDate
  /** Maximum number of pledged annual withdrawals. Each is one instalment. */
  readonly max_installments: number
  readonly min_installment: Centavos | null
  readonly max_installment: Centavos | null
  /** True if only the next `max_installments` annual withdrawals can be pledged (POLICY-08). */
  readonly next_only: boolean
  /** Maximum monthly rate, in percent. Market practice, not a published law (POLICY-09). */
  readonly max_monthly_rate: Percent
}

const first: FgtsPolicy = {
  version: "CCFGTS-958/2020",
  from: calendarDate("2020-01-01"),
  max_installments: 10,
  min_installment: null,
  max_installment: null,
  next_only: false,
  max_monthly_rate: percent(2.05)
}

/**
 * All policies, oldest first. No resolution states the maximum rate, so policies that differ only in this rate have the
 * same version.
 *
 * Source: Resolução CCFGTS 958/2020, changed by Resolução CCFGTS 1.130 of 7 October 2025, which allows five annual
 * withdrawals until 31 October 2026 and three afterwards.
 */
export const fgtsPolicies: readonly [FgtsPolicy, ...ReadonlyArray<FgtsPolicy>] = [
  first,
  { ...first, from: calendarDate("2023-12-01"), max_monthly_rate: percent(1.8) },
  {
    version: "CCFGTS-1130/2025-1",
    from: calendarDate("2025-11-01"),
    max_installments: 5,
    min_installment: centavos(100_00),
    max_installment: centavos(500_00),
    next_only: true,
    max_monthly_rate: percent(1.8)
  },
  {
    version: "CCFGTS-1130/2025-2",
    from: calendarDate("2026-11-01"),
    max_installments: 3,
    min_installment: centavos(100_00),
    max_installment: centavos(500_00),
    next_only: true,
    max_monthly_rate: percent(1.8)
  }
]

/**
 * The policy of a day is the newest policy in force on that day. For days before the first policy, the first policy
 * applies.
 *
 * Source: Resolução CCFGTS 958/2020, as changed by Resolução CCFGTS 1.130/2025.
 * @rule POLICY-01
 */
export const policyOn = (date: CalendarDate): FgtsPolicy => fgtsPolicies.findLast(({ from }) => from <= date) ?? first

/**
 * A policy ends at the midnight in America/Sao_Paulo at which the next policy begins. The newest policy has no end.
 *
 * Source: Resolução CCFGTS 1.130/2025, on contracts made "até 31 de outubro de 2026".
 * @rule POLICY-02
 */
export const policyEnds = (policy: FgtsPolicy): Timestamp | null => {
  const next = fgtsPolicies.find(({ from }) => from > policy.from)
  return next === undefined ? null : saoPauloMidnight(next.from)
}

/** The operator's own limit for the monthly rate. */
export interface OperatorRate {
  /** Maximum monthly rate of an offer, in percent. Absent or null: the maximum of the policy. */
  readonly max_monthly_rate?: Percent | null | undefined
  /** True if the operator's maximum applies even above the maximum of the policy. Default: false. */
  readonly max_monthly_rate_above_policy?: boolean | undefined
}

/**
 * The rate limit in force is the maximum monthly rate of the policy, or a lower one of the operator. A higher maximum
 * of the operator applies only if the operator has confirmed it. The maximum of the policy is market practice: the law
 * only leaves the limit to the Conselho Curador, below the limit for payroll loans of federal servants.
 *
 * Source: Lei 8.036/1990, art. 20-D, § 3º.
 * @rule POLICY-09
 */
export const rateLimit = (
  policy: Pick<FgtsPolicy, "max_monthly_rate">,
  { max_monthly_rate = null, max_monthly_rate_above_policy = false }: OperatorRate
): Percent =>
  max_monthly_rate !== null && (max_monthly_rate_above_policy || max_monthly_rate < policy.max_monthly_rate)
    ? max_monthly_rate
    : policy.max_monthly_rate

/** Returns the policy of a day, with the rate limit in force. */
export const policyInForce = (date: CalendarDate, operator: OperatorRate): FgtsPolicy => {
  const policy = policyOn(date)
  return { ...policy, max_monthly_rate: rateLimit(policy, operator) }
}

/** The instalments violate the policy. `installment` is the number of the first violating instalment, starting at 1. */
export class PolicyViolation
  extends Refusal("PolicyViolation", "The instalments violate the lending policy.", ["reason", "installment"])<{
    readonly policy: string
    readonly reason: "NO_INSTALLMENTS" | "TOO_MANY_INSTALLMENTS" | "BELOW_MINIMUM" | "ABOVE_MAXIMUM"
    readonly installment: number | null
  }>
{}

/**
 * An offer must have at least one instalment, and at most as many as its policy allows. Each amount must be within the
 * bounds of the policy, inclusive.
 *
 * Source: Resolução CCFGTS 958/2020, as changed by Resolução CCFGTS 1.130/2025.
 * @rule POLICY-07
 */
export const checkPolicy = (
  policy: FgtsPolicy,
  amounts: ReadonlyArray<Centavos>
): Result.Result<void, PolicyViolation> => {
  const violation = (reason: PolicyViolation["reason"], installment: number | null = null) =>
    Result.fail(new PolicyViolation({ policy: policy.version, reason, installment }))
  if (amounts.length === 0) return violation("NO_INSTALLMENTS")
  if (amounts.length > policy.max_installments) return violation("TOO_MANY_INSTALLMENTS")
  const below = amounts.findIndex((amount) => amount <= 0 || amount < (policy.min_installment ?? 0))
  if (below >= 0) return violation("BELOW_MINIMUM", below + 1)
  const above = amounts.findIndex((amount) => amount > (policy.max_installment ?? Number.POSITIVE_INFINITY))
  return above >= 0 ? violation("ABOVE_MAXIMUM", above + 1) : Result.void
}
