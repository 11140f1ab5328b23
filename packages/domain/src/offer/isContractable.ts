import { Result } from "effect"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type Percent } from "../values/Percent.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { judgeMaximumRate } from "./judgeCosts.ts"
import { type Offer } from "./Offer.ts"
import { checkPolicy, policyOn } from "./Policy.ts"

/**
 * By law, the policy of the contracting day applies. An offer can be accepted only if the policy in force on that day, in
 * America/Sao_Paulo, allows its instalments.
 *
 * Source: Resolução CCFGTS 1.130/2025, on contracts made "até 31 de outubro de 2026".
 * @rule FGTS-18
 */
export const isWithinPolicy = ({ terms }: Pick<Offer, "terms">, at: Timestamp): boolean =>
  Result.isSuccess(checkPolicy(policyOn(saoPauloDate(at)), terms.installments.map(({ amount }) => amount)))

/**
 * An offer can be contracted while three conditions hold: the policy of the day allows its instalments (FGTS-18), its
 * first instalment falls due after that day in America/Sao_Paulo, and its monthly rate is at most the operator's
 * maximum (FGTS-41). The conditions are checked when the offer is accepted, and again before its contract is submitted
 * with corrected data.
 * @rule FGTS-55
 */
export const isContractable = (offer: Pick<Offer, "terms">, at: Timestamp, max_monthly_rate: Percent | null): boolean =>
  isWithinPolicy(offer, at) &&
  offer.terms.installments.every(({ due_date }) => due_date > saoPauloDate(at)) &&
  judgeMaximumRate(offer.terms.monthly_rate, max_monthly_rate) === undefined
