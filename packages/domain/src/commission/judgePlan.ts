import { Result } from "effect"
import { OwnPartner } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { decodeBody } from "../input/decode.ts"
import { type FieldProblem, fieldProblem, problem, ValidationFailed } from "../input/FieldProblem.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { textOfKey } from "./chain.ts"
import { type NewPlan, NewPlanRequest } from "./Plan.ts"
import { noShare } from "./Share.ts"

/**
 * The partners above a partner decide its commissions. A root decides its own plan and closes its own periods, but
 * receives no payout. Any other change of the caller's own partner is refused.
 * @rule COMM-05
 */
export const judgeStrictlyBelow = (
  { partner_id, root_id }: Pick<Caller, "partner_id" | "root_id">,
  partner: PartnerId,
  { ownRoot }: { readonly ownRoot: boolean }
): Result.Result<void, OwnPartner> =>
  partner !== partner_id || ownRoot && partner === root_id ? Result.void : Result.fail(new OwnPartner())

const decodeRequest = decodeBody(NewPlanRequest)

/** The facts that decide whether a plan can be written. */
interface PlanFacts {
  readonly isRoot: boolean
  /** The day of the request, in America/Sao_Paulo. */
  readonly today: CalendarDate
}

const problemsOf = (request: NewPlanRequest, { isRoot, today }: PlanFacts): ReadonlyArray<FieldProblem> => {
  const problems: Array<FieldProblem> = []
  const { basis, rates, valid_from } = request
  if (valid_from < today) problems.push(fieldProblem("valid_from", problem("OUT_OF_RANGE", { min: today })))
  if (!isRoot && basis !== undefined) problems.push(fieldProblem("basis", problem("UNKNOWN_FIELD")))
  if (isRoot && basis === undefined && rates.length > 0) problems.push(fieldProblem("basis", problem("REQUIRED")))
  const [expected, other] = isRoot ? ["percent", "of_parent"] as const : ["of_parent", "percent"] as const
  const seen = new Set<string>()
  for (const [index, rate] of rates.entries()) {
    const at = `rates[${index}]`
    if (rate[other] !== undefined) problems.push(fieldProblem(`${at}.${other}`, problem("UNKNOWN_FIELD")))
    if (rate[expected] === undefined) problems.push(fieldProblem(`${at}.${expected}`, problem("REQUIRED")))
    if (rate.table !== null && rate.lender === null) problems.push(fieldProblem(`${at}.lender`, problem("REQUIRED")))
    if (seen.has(textOfKey(rate))) problems.push(fieldProblem(at, problem("DUPLICATE")))
    seen.add(textOfKey(rate))
  }
  return problems
}

/**
 * A plan begins today or later. A root's plan has a basis, and its rates are percents of the contract. Any other plan
 * has no basis, and its rates are percents of the parent's commission. A table requires its lender. Each pair of lender
 * and table appears once. A plan without rates ends the commission.
 * @rule COMM-06
 */
export const parseNewPlan = (
  body: unknown,
  facts: PlanFacts
): Result.Result<Pick<NewPlan, "basis" | "rates" | "valid_from">, ValidationFailed> =>
  Result.flatMap(decodeRequest(body), (request) => {
    const problems = problemsOf(request, facts)
    return problems.length > 0 ? Result.fail(new ValidationFailed({ problems })) : Result.succeed({
      valid_from: request.valid_from,
      basis: request.basis ?? null,
      rates: request.rates.map(({ lender, of_parent, percent, table }) => ({
        lender,
        table,
        share: (facts.isRoot ? percent : of_parent) ?? noShare
      }))
    })
  })
