import { Result, Schema } from "effect"
import { OwnPartner } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { type FieldProblem, fieldProblem, problem, ValidationFailed } from "../input/FieldProblem.ts"
import { fieldPath } from "../input/problemsOf.ts"
import { Refusal } from "../input/Refusal.ts"
import { failsWith } from "../input/textParser.ts"
import { type QuoteStrategy } from "../offer/QuotePart.ts"
import { type PartnerId } from "../values/ids.ts"

/** The routing of a partner: the lenders of its quotes, in order of preference, and the order of the requests. */
export interface Routing {
  readonly strategy: QuoteStrategy
  /** The codes of the lenders. */
  readonly lenders: ReadonlyArray<string>
  /** Number of changes, starting at 1. */
  readonly version: number
}

/** A partner, and its own routing. Null if it has none. */
export interface RoutingLink {
  readonly partner_id: PartnerId
  readonly routing: Routing | null
}

/** The routing that a partner has, by its own routing and those of its ancestors. */
export interface EffectiveRouting {
  readonly strategy: QuoteStrategy
  readonly lenders: ReadonlyArray<string>
  /** The partner whose routing gives the strategy and the order. Null if no partner of the chain has one. */
  readonly source: PartnerId | null
}

/** None of the lenders of the partner's routing gets new quotes now. */
export class NoLender extends Refusal(
  "NoLender",
  "No lender gets new quotes of this partner now. Change the routing of the partner, or of a partner above it."
) {}

/**
 * A partner without a routing has that of its nearest ancestor. If no ancestor has one, all lenders are requested at
 * the same time, in the order of the settings. Effective lenders: those of the partner's own routing, in its order,
 * that every ancestor's routing and the installation also have. `chain` begins with the partner and ends with the root.
 * @rule ROUTE-01
 */
export const effectiveRouting = (
  chain: ReadonlyArray<RoutingLink>,
  installed: ReadonlyArray<string>
): EffectiveRouting => {
  const own = chain.flatMap(({ partner_id, routing }) => routing === null ? [] : [{ partner_id, ...routing }])
  const [nearest] = own
  return {
    strategy: nearest?.strategy ?? "ALL",
    lenders: (nearest?.lenders ?? installed).filter((code) =>
      installed.includes(code) && own.every(({ lenders }) => lenders.includes(code))
    ),
    source: nearest?.partner_id ?? null
  }
}

/** Maximum number of lenders that a request names. */
const maxNamed = 100

/** The schema of a list of codes in a request. {@link judgeLenders} judges the codes. */
export const lenderCodes = Schema.Array(Schema.String).check(
  Schema.isMaxLength(maxNamed, failsWith(problem("TOO_LONG", { max_items: maxNamed })))
)

const atLender = (index: number): string => fieldPath(["lenders", index])

/**
 * A list of lenders names at least one lender, and none twice. Each of them must be allowed. A lender that is unknown
 * and one that is only not allowed here get the same answer.
 * @rule ROUTE-02
 */
export const judgeLenders = (
  lenders: ReadonlyArray<string>,
  allowed: ReadonlyArray<string>
): Result.Result<void, ValidationFailed> => {
  const problems = lenders.flatMap((code, index): ReadonlyArray<FieldProblem> =>
    !allowed.includes(code)
      ? [fieldProblem(atLender(index), problem("NOT_ALLOWED"))]
      : lenders.indexOf(code) < index
      ? [fieldProblem(atLender(index), problem("DUPLICATE"))]
      : []
  )
  const found = lenders.length === 0 ? [fieldProblem("lenders", problem("TOO_SHORT", { min_items: 1 }))] : problems
  return found.length === 0 ? Result.void : Result.fail(new ValidationFailed({ problems: found }))
}

/** Judges the lenders in an untrusted body. All other problems of the field are those of its schema. */
export const judgeNamedLenders = (
  named: unknown,
  allowed: ReadonlyArray<string>
): Result.Result<void, ValidationFailed> =>
  Array.isArray(named) && named.length <= maxNamed && named.every((code) => typeof code === "string")
    ? judgeLenders(named, allowed)
    : Result.void

/**
 * A caller changes the routing only of partners below its own partner. The routing of a root is changed by the callers
 * of that root, because no partner is above it.
 * @rule ROUTE-03
 */
export const judgeRoutingChange = (
  caller: Pick<Caller, "partner_id" | "root_id">,
  partner: PartnerId
): Result.Result<void, OwnPartner> =>
  partner === caller.partner_id && partner !== caller.root_id ? Result.fail(new OwnPartner()) : Result.void

/**
 * A caller can narrow the lenders of one application. A new quote of the application without a list keeps those that
 * were named before and that the routing still has. The order is always that of the routing.
 * @rule ROUTE-04
 */
export const narrowRouting = (
  effective: ReadonlyArray<string>,
  named: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => named === undefined ? effective : effective.filter((code) => named.includes(code))
