import { type OperatorRate } from "../offer/FgtsPolicy.ts"
import { judgeFeeKind } from "../offer/judgeLenderOffer.ts"
import { type Offer } from "../offer/Offer.ts"
import { type ContractingFacts, isWithinPolicy, whyNotContractable } from "../offer/whyNotContractable.ts"
import { type CalendarDate, calendarDate, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { acceptedOffer, type Application, contractTerms, lenderOfContract } from "./Application.ts"
import {
  isPledgedAlready,
  isPledging,
  mayBeAtLender,
  type Pledge,
  pledgedDueDates,
  pledgesNextWithdrawal
} from "./pledges.ts"

/** The first day on which a customer may have only one advance at a time: Resolução CCFGTS 1.130/2025. */
const oneAdvanceFrom: CalendarDate = calendarDate("2025-11-01")

type Accepted = Pick<Application, "customer" | "proposal" | "quotes">

/**
 * Returns the pledge of an application at a time, from the status of its proposal at that time. Empty without a pledge.
 */
const pledgeAt = (application: Accepted, at: Timestamp): ReadonlyArray<Pledge> => {
  const { customer: { birth_date }, proposal } = application
  const latest = proposal?.status_history.findLast((change) => change.at <= at)
  // Earlier terms are not stored, so the current ones are used.
  const due_dates = latest === undefined ? [] : pledgedDueDates(application, at, latest.status)
  return due_dates.length === 0 ? [] : [{ due_dates, birth_date, is_in_scope: true }]
}

/** Returns whether a contract is judged. A contract that ended before its payment, or was reversed, is not. */
export const isJudged = ({ proposal }: Pick<Application, "proposal">): boolean =>
  proposal !== null && (isPledging(proposal) || proposal.status === "SETTLED")

/** Returns whether the contract of an application was paid at a time. */
const wasPaidAt = ({ proposal }: Accepted, at: Timestamp): boolean =>
  proposal?.status_history.some((entry) => entry.status === "PAID" && entry.at <= at) ?? false

/** Returns the rules that a contract breaks by its terms, without regard to other contracts. */
const brokenByTerms = (offer: Offer, facts: ContractingFacts, is_known_customer: boolean): ReadonlyArray<string> => {
  const isAllowed = isWithinPolicy(offer, facts)
  return [
    ...(isAllowed ? [] : ["FGTS-18"]),
    ...(isAllowed && whyNotContractable(offer, facts) !== undefined ? ["FGTS-55"] : []),
    ...(judgeFeeKind(offer, is_known_customer) === undefined ? [] : ["FGTS-58"])
  ]
}

/**
 * Lists the rules that a contract broke on the day of its acceptance:
 *
 * - the policy of the day (FGTS-18)
 * - a due date that had passed (FGTS-55)
 * - an unlawful fee (FGTS-58)
 * - a withdrawal that another contract of the customer pledged (FGTS-47)
 * - a second advance (FGTS-61)
 *
 * `others` are the customer's other applications in the same tree. The lender's final terms are judged. The operator's
 * maximum rate counts only if it may be above the policy, because its earlier values are not stored.
 */
export const brokenRules = (
  application: Accepted,
  others: ReadonlyArray<Accepted>,
  { max_monthly_rate, max_monthly_rate_above_policy = false }: OperatorRate = {}
): ReadonlyArray<string> => {
  const { proposal } = application
  const accepted = acceptedOffer(application)
  const terms = contractTerms(application)
  if (proposal === null || accepted === undefined || terms === null || !isJudged(application)) return []
  const at = proposal.created_at
  const earlier = others
    .filter((other) => other.proposal !== null && other.proposal.created_at < at)
    .flatMap((other) => pledgeAt(other, at))
  const operator = max_monthly_rate_above_policy ? { max_monthly_rate, max_monthly_rate_above_policy } : {}
  const lender = lenderOfContract(application)
  const facts = { at, birth_date: application.customer.birth_date, ...operator }
  const isKnownCustomer = others.some((other) => wasPaidAt(other, at) && mayBeAtLender(other, lender))
  const isPledgedTwice = earlier.some((pledge) => isPledgedAlready(terms, pledge))
  const isSecondAdvance = saoPauloDate(at) >= oneAdvanceFrom &&
    earlier.some((pledge) => pledgesNextWithdrawal(pledge, at))
  return [
    ...brokenByTerms({ ...accepted, terms }, facts, isKnownCustomer),
    ...(isPledgedTwice ? ["FGTS-47"] : []),
    ...(isSecondAdvance ? ["FGTS-61"] : [])
  ]
}
