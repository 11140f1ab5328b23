import { Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type CalendarDate, calendarDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The legal limits on the anticipation of FGTS withdrawals, in force from a given day. All limits are inclusive. */
export interface FgtsPolicy {
  /** The resolution and, if it has several stages, the stage. Offers contain this version. */
  readonly version: string
  /** The first day in force, in America/Sao_Paulo. */
  readonly from: CalendarDate
  readonly max_installments: number
  readonly min_installment: Centavos | null
  readonly max_installment: Centavos | null
}

const first: FgtsPolicy = {
  version: "CCFGTS-958/2020",
  from: calendarDate("2020-01-01"),
  max_installments: 10,
  min_installment: null,
  max_installment: null
}

/**
 * All policies, oldest first.
 *
 * Source: Resolução CCFGTS 958/2020, changed by Resolução CCFGTS 1.130 of 7 October 2025, which allows five annual
 * withdrawals until 31 October 2026 and three afterwards.
 */
export const fgtsPolicies: readonly [FgtsPolicy, ...ReadonlyArray<FgtsPolicy>] = [
  first,
  {
    version: "CCFGTS-1130/2025-1",
    from: calendarDate("2025-11-01"),
    max_installments: 5,
    min_installment: centavos(100_00),
    max_installment: centavos(500_00)
  },
  {
    version: "CCFGTS-1130/2025-2",
    from: calendarDate("2026-11-01"),
    max_installments: 3,
    min_installment: centavos(100_00),
    max_installment: centavos(500_00)
  }
]

/**
 * The policy of a day is the newest policy in force on that day. For days before the first policy, the first policy applies.
 * @rule POLICY-01
 */
export const policyOn = (date: CalendarDate): FgtsPolicy => fgtsPolicies.findLast(({ from }) => from <= date) ?? first

/**
 * A policy ends at the midnight in America/Sao_Paulo at which the next policy begins. The newest policy has no end.
 * @rule POLICY-02
 */
export const policyEnds = (policy: FgtsPolicy): Timestamp | null => {
  const next = fgtsPolicies.find(({ from }) => from > policy.from)
  return next === undefined ? null : saoPauloMidnight(next.from)
}

/** The instalments violate the policy. `installment` is the number of the first instalment out of bounds, starting at 1. */
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
