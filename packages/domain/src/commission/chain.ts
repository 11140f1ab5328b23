import { type FrozenCommission } from "../loan/ContractFacts.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { type RateKey, type StoredPlan } from "./Plan.ts"
import { noShare, type Share } from "./Share.ts"

/** A partner on the way from the root to a partner, with the plan that counts on a day. */
export interface ChainLink {
  readonly partner_id: PartnerId
  /** The number of times that the partner itself has moved. */
  readonly moves: number
  readonly plan: StoredPlan | null
}

/** The present place of a partner in its tree. */
export interface Placement {
  /** Null for a root. */
  readonly parent_id: PartnerId | null
  readonly moves: number
}

/** Returns whether a plan was written at the present place of its partner. */
export const isPlaced = ({ above, moves }: Pick<StoredPlan, "above" | "moves">, present: Placement): boolean =>
  (above[0] ?? null) === present.parent_id && moves === present.moves

/** Returns a text that is the same for the same lender and table only. */
export const textOfKey = ({ lender, table }: RateKey): string => JSON.stringify([lender, table])

/** Returns the texts of the keys whose rates can count for a lender and a table, the most specific one first. */
export const matchingKeys = ({ lender, table }: RateKey): ReadonlyArray<string> =>
  [{ lender, table }, { lender, table: null }, { lender: null, table: null }].map(textOfKey)

/** Returns {@link shareOf} of one plan for the {@link matchingKeys} of a key, for many keys and up to 500 rates. */
export const sharesOf = (plan: Pick<StoredPlan, "rates"> | null): (keys: ReadonlyArray<string>) => Share => {
  const shares = new Map(plan?.rates.map((rate) => [textOfKey(rate), rate.share]))
  return (keys) => shares.get(keys.find((key) => shares.has(key)) ?? "") ?? noShare
}

/**
 * The most specific rate of a plan counts: the one for the lender and the table, else the one for the lender, else the
 * one for neither. Without a rate, and without a plan, the share is 0.
 * @rule COMM-07
 */
export const shareOf = (plan: Pick<StoredPlan, "rates"> | null, key: RateKey): Share =>
  sharesOf(plan)(matchingKeys(key))

/**
 * A plan counts from its first day until a later plan begins. Of two plans with the same first day, the one that was
 * written last counts. A plan counts only at the place of its partner for which it was written: after a move, the
 * partner has no plan until an ancestor writes a new one. `plans` are ordered by the time of writing, oldest first.
 * @rule COMM-08
 */
export const planInForce = (
  plans: ReadonlyArray<StoredPlan>,
  present: Placement,
  on: CalendarDate
): StoredPlan | null =>
  plans.reduce<StoredPlan | null>(
    (latest, plan) =>
      isPlaced(plan, present) && plan.valid_from <= on && (latest === null || plan.valid_from >= latest.valid_from)
        ? plan
        : latest,
    null
  )

/**
 * Accepting an offer freezes the chain from the root to the seller, with the share of each partner for the lender and
 * the table of the offer. Later moves, plans and deletions change nothing of it. If the root receives nothing, nobody
 * does, and nothing is frozen. `links` has the root first.
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
