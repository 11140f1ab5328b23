import { Result } from "effect"
import { type CalendarDate, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { checkPolicy, type OperatorRate, policyInForce } from "./FgtsPolicy.ts"
import { judgeMaximumRate } from "./judgeCosts.ts"
import { areNextWithdrawals, releaseDayOf } from "./nextWithdrawals.ts"
import { type Offer } from "./Offer.ts"

/** The facts that decide whether an offer can be contracted at a time. */
export interface ContractingFacts extends OperatorRate {
  readonly at: Timestamp
  readonly birth_date: CalendarDate
}

/**
 * An offer can be accepted only if the policy of the day of acceptance, in America/Sao_Paulo, allows it: its
 * instalments (POLICY-07, POLICY-08) and its monthly rate (FGTS-41). By law, the policy of the contracting day applies.
 * The release day is that of the offer, or the day of acceptance if that is later.
 *
 * Source: Resolução CCFGTS 1.130/2025, on contracts made "até 31 de outubro de 2026".
 * @rule FGTS-18
 */
export const isWithinPolicy = (
  { terms }: Pick<Offer, "terms">,
  facts: ContractingFacts
): boolean => {
  const { installments } = terms
  const today = saoPauloDate(facts.at)
  const policy = policyInForce(today, facts)
  const release = releaseDayOf(installments) ?? today
  const released_on = release > today ? release : today
  return Result.isSuccess(checkPolicy(policy, installments.map(({ amount }) => amount))) &&
    areNextWithdrawals(installments, { birth_date: facts.birth_date, policy, released_on }) &&
    judgeMaximumRate(terms, policy) === undefined
}

/**
 * An offer can be contracted while its first instalment falls due after the current day in America/Sao_Paulo, and the
 * policy of that day allows the offer (FGTS-18). This is checked when the offer is accepted, and again before its
 * contract is submitted. Returns the reason why the offer cannot be contracted.
 * @rule FGTS-55
 */
export const whyNotContractable = (
  offer: Pick<Offer, "terms">,
  facts: ContractingFacts
): "EXPIRED" | "POLICY_CHANGED" | undefined => {
  const today = saoPauloDate(facts.at)
  if (!offer.terms.installments.every(({ due_date }) => due_date > today)) return "EXPIRED"
  return isWithinPolicy(offer, facts) ? undefined : "POLICY_CHANGED"
}
