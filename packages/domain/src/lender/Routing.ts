import { Result, Schema } from "effect"
import { OwnPartner } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { fieldPath } from "../input/problemsOf.ts"
import { Refusal } from "../input/Refusal.ts"
import { failsWith } from "../input/textParser.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type QuoteStrategy } from "../offer/QuotePart.ts"
import { type PartnerId } from "../values/ids.ts"

/** The routing of a partner: its lenders in order of preference, and the order in which they are requested. */
export interface Routing {
  readonly strategy: QuoteStrategy
  /** The codes of the lenders. */
  readonly lenders: ReadonlyArray<string>
  /** Number of changes of the routing, starting at 1. */
  readonly version: number
}

/** A partner, and its own routing. Null if it has none. */
export interface RoutingLink {
  readonly partner_id: PartnerId
  readonly routing: Routing | null
}

/** The routing that applies to a partner, from its own routing and those of its ancestors. */
export interface EffectiveRouting {
  readonly strategy: QuoteStrategy
  readonly lenders: ReadonlyArray<string>
  /** The partner whose routing sets the strategy and the order. Null if neither the partner nor an ancestor has one. */
  readonly source: PartnerId | null
}

/** No lender of the partner's routing gets new quotes now. */
export class NoLender extends Refusal(
  "NoLender",
  "No lender gets new quotes of this partner now. Change the routing of the partner, or of a partner above it."
) {}

/**
 * A partner without a routing has that of its nearest ancestor. If no ancestor has one, all lenders are requested at
 * the same time, in the order of the settings. The lenders of the nearest routing keep their order, but only those
 * remain that the installation and the routing of every ancestor have. `chain` begins with the partner and ends with
 * the root.
 * @rule ROUTE-01
 */
export const effectiveRouting = (
  chain: ReadonlyArray<RoutingLink>,
  installed: ReadonlyArray<string>
): EffectiveRouting => {
  const routings = chain.flatMap(({ partner_id, routing }) => routing === null ? [] : [{ partner_id, ...routing }])
  const [nearest] = routings
  return {
    strategy: nearest?.strategy ?? "ALL",
    lenders: (nearest?.lenders ?? installed).filter((code) =>
      installed.includes(code) && routings.every(({ lenders }) => lenders.includes(code))
    ),
    source: nearest?.partner_id ?? null
  }
}

/** Maximum number of lenders in a request. */
const maxNamed = 100

/** The schema of a list of lender codes in a request. {@link judgeLenders} checks the codes. */
export const lenderCodes = Schema.Array(Schema.String).check(
  Schema.isMaxLength(maxNamed, failsWith(problem("TOO_LONG", { max_items: maxNamed })))
)

const pathAt = (index: number): string => fieldPath(["lenders", index])

/**
 * A list of lenders names at least one lender, none twice, and only allowed ones. A lender that exists but is not
 * allowed gets the same answer as an unknown one.
 * @rule ROUTE-02
 */
export const judgeLenders = (
  lenders: ReadonlyArray<string>,
  allowed: ReadonlyArray<string>
): Result.Result<void, ValidationFailed> => {
  const problems: Array<FieldProblem> = []
  if (lenders.length === 0) problems.push(fieldProblem("lenders", problem("TOO_SHORT", { min_items: 1 })))
  for (const [index, code] of lenders.entries()) {
    if (!allowed.includes(code)) problems.push(fieldProblem(pathAt(index), problem("NOT_ALLOWED")))
    else if (lenders.indexOf(code) < index) problems.push(fieldProblem(pathAt(index), problem("DUPLICATE")))
  }
  return problems.length === 0 ? Result.void : Result.fail(new ValidationFailed({ problems }))
}

/** Checks the lenders in an untrusted body. Any other problem of the field is reported by its schema. */
export const judgeNamedLenders = (
  named: unknown,
  allowed: ReadonlyArray<string>
): Result.Result<void, ValidationFailed> =>
  Array.isArray(named) && named.length <= maxNamed && named.every((code) => typeof code === "string")
    ? judgeLenders(named, allowed)
    : Result.void

/**
 * A caller can change the routing only of partners below its own partner. A root has no partner above it, so its own
 * callers can change its routing.
 * @rule ROUTE-03
 */
export const judgeRoutingChange = (
  caller: Pick<Caller, "partner_id" | "root_id">,
  partner: PartnerId
): Result.Result<void, OwnPartner> =>
  partner === caller.partner_id && partner !== caller.root_id ? Result.fail(new OwnPartner()) : Result.void

/**
 * A caller can limit an application to some lenders of the routing. A new quote of the application without such a list
 * keeps the earlier list, less lenders that the routing no longer has. The order is always that of the routing.
 * @rule ROUTE-04
 */
export const narrowRouting = (
  effective: ReadonlyArray<string>,
  named: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => named === undefined ? effective : effective.filter((code) => named.includes(code))
