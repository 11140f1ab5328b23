import { type FrozenCommission } from "../loan/ContractFacts.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { type RateKey, type StoredPlan } from "./Plan.ts"
import { noShare, type Share } from "./Share.ts"

/** A partner on the path from the root to the seller, with its plan in force on a day. */
export interface ChainLink {
  readonly partner_id: PartnerId
  /** The number of moves of the partner itself. */
  readonly moves: number
  readonly plan: StoredPlan | null
}

/** The current position of a partner in its tree. */
export interface Placement {
  /** Null for a root. */
  readonly parent_id: PartnerId | null
  readonly moves: number
}

/** Returns whether a plan was written at the current position of its partner. */
export const isPlaced = ({ above, moves }: Pick<StoredPlan, "above" | "moves">, present: Placement): boolean =>
  (above[0] ?? null) === present.parent_id && moves === present.moves

/** Returns a text that is equal only for the same lender and table. */
export const textOfKey = ({ lender, table }: RateKey): string => JSON.stringify([lender, table])

/** Returns the keys of all rates that can apply to a lender and a table, the most specific one first. */
export const matchingKeys = ({ lender, table }: RateKey): ReadonlyArray<string> =>
  [{ lender, table }, { lender, table: null }, { lender: null, table: null }].map(textOfKey)

/**
 * Returns a function that finds the share of a plan for {@link matchingKeys}. For many lookups in one plan, it is faster
 * than {@link shareOf}.
 */
export const sharesOf = (plan: Pick<StoredPlan, "rates"> | null): (keys: ReadonlyArray<string>) => Share => {
  const shares = new Map(plan?.rates.map((rate) => [textOfKey(rate), rate.share]))
  return (keys) => {
    const mostSpecific = keys.find((key) => shares.has(key))
    return mostSpecific === undefined ? noShare : shares.get(mostSpecific) ?? noShare
  }
}

/**
 * The most specific rate of a plan applies: the one for the lender and the table, else the one for the lender, else the
 * one for neither. Without a rate or a plan, the share is 0.
 * @rule COMM-07
 */
export const shareOf = (plan: Pick<StoredPlan, "rates"> | null, key: RateKey): Share =>
  sharesOf(plan)(matchingKeys(key))

/**
 * A plan is in force from its first day until a later plan begins. Of two plans with the same first day, the one that
 * was written last applies. A plan applies only at the position of its partner for which it was written. After a move,
 * the partner has no plan until an ancestor writes a new one. `plans` are in the order of writing, oldest first.
 * @rule COMM-08
 */
export const planInForce = (
  plans: ReadonlyArray<StoredPlan>,
  present: Placement,
  on: CalendarDate
): StoredPlan | null => {
  let latest: StoredPlan | null = null
  for (const plan of plans) {
    if (!isPlaced(plan, present) || plan.valid_from > on) continue
    if (latest === null || plan.valid_from >= latest.valid_from) latest = plan
  }
  return latest
}

/**
 * Accepting an offer freezes the chain from the root to the seller, with the share of each partner for the offer's
 * lender and table. Later moves, plans and deletions do not change it. If the root receives nothing, nobody does, and
 * nothing is frozen. `links` begin with the root.
 * @rule COMM-09
 */
export const freezeChain = (
  links: ReadonlyArray<ChainLink>,
  { lender, table }: { readonly lender: string | null; readonly table: string }
): FrozenCommission | null => {
  const basis = links[0]?.plan?.basis ?? null
  const chain = links.map(({ partner_id, plan }) => ({ partner_id, share: shareOf(plan, { lender, table }) }))
  return basis === null || chain[0]?.share === noShare ? null : { basis, lender, table, chain }
}
