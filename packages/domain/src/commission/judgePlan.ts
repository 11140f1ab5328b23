import { Predicate, Result } from "effect"
import { OwnPartner } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { readAt, valueAt } from "../input/valueAt.ts"
import { type CalendarDate, parseCalendarDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { textOfKey } from "./chain.ts"
import { maxRates, type NewPlan, NewPlanRequest, NewRate } from "./Plan.ts"
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
const decodeRate = decodeBody(NewRate)

const failing = (problems: ReadonlyArray<FieldProblem>): Result.Result<void, ValidationFailed> =>
  problems.length === 0 ? Result.void : Result.fail(new ValidationFailed({ problems }))

/** The facts that decide whether a plan can be written. */
interface PlanFacts {
  readonly isRoot: boolean
  /** The day of the request, in America/Sao_Paulo. */
  readonly today: CalendarDate
}

/** Returns whether a field is present. Null counts as absent. */
const has = (body: unknown, name: string): boolean => (valueAt(body, [name]) ?? null) !== null

/** Returns the problems that the schema does not find. The body is untrusted: its other fields can be invalid. */
const problemsOfPlan = (body: unknown, { isRoot, today }: PlanFacts): ReadonlyArray<FieldProblem> => {
  const problems: Array<FieldProblem> = []
  const listed = valueAt(body, ["rates"])
  const rates: ReadonlyArray<unknown> = Array.isArray(listed) ? listed.slice(0, maxRates) : []
  const valid_from = readAt(body, ["valid_from"], parseCalendarDate)
  if (valid_from !== undefined && valid_from < today) {
    problems.push(fieldProblem("valid_from", problem("OUT_OF_RANGE", { min: today })))
  }
  if (!isRoot && has(body, "basis")) problems.push(fieldProblem("basis", problem("UNKNOWN_FIELD")))
  if (isRoot && !has(body, "basis") && rates.length > 0) problems.push(fieldProblem("basis", problem("REQUIRED")))
  const [expected, other] = isRoot ? ["percent", "of_parent"] as const : ["of_parent", "percent"] as const
  const seen = new Set<string>()
  for (const [index, item] of rates.entries()) {
    if (!Predicate.isReadonlyObject(item)) continue
    const at = `rates[${index}]`
    if (has(item, other)) problems.push(fieldProblem(`${at}.${other}`, problem("UNKNOWN_FIELD")))
    if (!has(item, expected)) problems.push(fieldProblem(`${at}.${expected}`, problem("REQUIRED")))
    const read = decodeRate(item)
    if (Result.isFailure(read)) continue
    const rate = read.success
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
  Result.map(
    combineChecks({ rules: failing(problemsOfPlan(body, facts)), request: decodeRequest(body) }),
    ({ request }) => ({
      valid_from: request.valid_from,
      basis: request.basis ?? null,
      rates: request.rates.map(({ lender, of_parent, percent, table }) => ({
        lender,
        table,
        share: (facts.isRoot ? percent : of_parent) ?? noShare
      }))
    })
  )
