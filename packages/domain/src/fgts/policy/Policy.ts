import { type Centavos, centavos } from "../../money/Centavos.ts"
import { type CalendarDate, calendarDate, saoPauloMidnight } from "../../time/CalendarDate.ts"
import { type Timestamp } from "../../time/Timestamp.ts"

/** What the law allows an anticipation of FGTS withdrawals to be, from a day on. Bounds are inclusive. */
export interface FgtsPolicy {
  /** Names the resolution that ordered it, and the stage where it has several. Offers show it. */
  readonly version: string
  /** The first day, in America/Sao_Paulo, on which it is in force. */
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
 * Every policy, from the oldest to the newest.
 *
 * Source: Resolução CCFGTS 958/2020, and as changed by Resolução CCFGTS 1.130 of 7 October 2025, which leaves five
 * annual withdrawals until 31 October 2026 and three from then on.
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
 * The policy of a day is the newest one that is in force on it; days before the first policy have the first.
 * @rule POLICY-01
 */
export const policyOn = (date: CalendarDate): FgtsPolicy => fgtsPolicies.findLast(({ from }) => from <= date) ?? first

/**
 * A policy ends at the midnight in America/Sao_Paulo at which the next one begins; the newest has no end yet.
 * @rule POLICY-02
 */
export const policyEnds = (policy: FgtsPolicy): Timestamp | null => {
  const next = fgtsPolicies.find(({ from }) => from > policy.from)
  return next === undefined ? null : saoPauloMidnight(next.from)
}
