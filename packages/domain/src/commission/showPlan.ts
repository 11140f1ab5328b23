import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { type ChainLink, isPlaced, matchingKeys, sharesOf, textOfKey } from "./chain.ts"
import { type CommissionPlan, type CommissionRate, type RateKey, type StoredPlan } from "./Plan.ts"
import { effectivePercent, percentOfShare } from "./Share.ts"

/** The reader of a plan, and the facts that decide which fields it can see. */
export interface PlanReader {
  readonly partner_id: PartnerId
  /** True if the principal that wrote the plan is in the reader's scope. */
  readonly seesWriter: boolean
}

/**
 * A partner has one effective rate for each lender and fee table that its own plan or a plan above it names, and one
 * rate without lender and table for all others.
 * @rule COMM-15
 */
export const effectiveRates = (links: ReadonlyArray<ChainLink>): ReadonlyArray<CommissionRate> => {
  const keys = new Map<string, RateKey>()
  const add = ({ lender, table }: RateKey) => keys.set(textOfKey({ lender, table }), { lender, table })
  for (const { plan } of links) for (const rate of plan?.rates ?? []) add(rate)
  add({ lender: null, table: null })
  const shares = links.map(({ plan }) => sharesOf(plan))
  return Array.from(keys.values()).toSorted(byKey).map((key) => {
    const matching = matchingKeys(key)
    return {
      ...key,
      percent: null,
      of_parent: null,
      effective_percent: effectivePercent(shares.map((shareFor) => shareFor(matching)))
    }
  })
}

const byKey = (a: RateKey, b: RateKey): number => compareCodes(a.lender, b.lender) || compareCodes(a.table, b.table)

/** Orders two codes. Null comes last. */
const compareCodes = (a: string | null, b: string | null): number => {
  if (a === b) return 0
  if (a === null) return 1
  return b === null || a < b ? -1 : 1
}

/**
 * A plan is shown as of today, or as of its first day if that is later.
 * @rule COMM-16
 */
export const shownOn = ({ valid_from }: Pick<StoredPlan, "valid_from">, today: CalendarDate): CalendarDate =>
  valid_from > today ? valid_from : today

/**
 * A rate of the parent's commission is visible only to the partners that were above the plan's partner when the plan was
 * written.
 *
 * - The partner itself sees effective percents of the contract instead. They do not reveal the rates of the partners
 *   above it.
 * - If the partner has moved since, it sees no rate of the plan: with the old rate, it could compute the commission of
 *   its new parent.
 * - A root sees the percents of its own plan.
 *
 * `links` are the plans from the root to the partner in force on the shown day.
 * @rule COMM-17
 */
export const showPlan = (
  plan: StoredPlan,
  { partner_id, seesWriter }: PlanReader,
  links: ReadonlyArray<ChainLink>
): CommissionPlan => {
  const { above, created_at, created_by, plan_id, valid_from } = plan
  const isRoot = links.length === 1
  const written = plan.rates.map(({ lender, share, table }) => ({
    lender,
    table,
    percent: isRoot ? percentOfShare(share) : null,
    of_parent: above.includes(partner_id) ? percentOfShare(share) : null,
    effective_percent: isRoot ? percentOfShare(share) : null
  }))
  const present = { parent_id: links.at(-2)?.partner_id ?? null, moves: links.at(-1)?.moves ?? 0 }
  const shown = links.map((link) => link.partner_id === plan.partner_id ? { ...link, plan } : link)
  const isOwn = plan.partner_id === partner_id && !isRoot && isPlaced(plan, present)
  return {
    plan_id,
    partner_id: plan.partner_id,
    valid_from,
    basis: shown[0]?.plan?.basis ?? null,
    rates: isOwn ? effectiveRates(shown) : written,
    created_at,
    created_by: seesWriter ? created_by : null
  }
}
