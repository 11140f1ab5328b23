import { Effect, Option, Result } from "effect"
import { narrowScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { parseChoiceFilter } from "../input/Filter.ts"
import { type GroupParser } from "../input/ListQuery.ts"
import { firstValue } from "../input/RawQuery.ts"
import { PartnerId } from "../values/ids.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { PartnerTree } from "./PartnerTree.ts"

/** The values of `partner_scope`. */
export const partnerScopes = ["self", "subtree"] as const

/** A filter by partner: the records of the partner alone, or of the partner and its descendants. */
export interface PartnerFilter {
  readonly partner_id: PartnerId
  readonly partner_scope: typeof partnerScopes[number]
}

const parsePartner = parseIdFilter(PartnerId)
const parseScope = parseChoiceFilter(partnerScopes)

const problemsAt = (name: string, result: Result.Result<unknown, Problem>) =>
  Result.isFailure(result) ? [fieldProblem(`query.${name}`, result.failure)] : []

/**
 * The parameter `partner_id` selects the records of one partner. With `partner_scope=subtree`, it also selects those of
 * all descendants of the partner. A `partner_scope` without `partner_id` is refused: REQUIRED on `partner_id`.
 * @rule PAGE-33
 */
export const partnerFilter: GroupParser<PartnerFilter> = {
  owns: (name) => name === "partner_id" || name === "partner_scope",
  parse: (raw) => {
    const partner = parsePartner(firstValue(raw["partner_id"]) ?? "")
    const extent = parseScope(firstValue(raw["partner_scope"]) ?? "")
    const hasExtent = Result.isFailure(extent) || Option.isSome(extent.success)
    const isMissing = hasExtent && Result.isSuccess(partner) && Option.isNone(partner.success)
    const problems = [
      ...problemsAt("partner_id", isMissing ? Result.fail(problem("REQUIRED")) : partner),
      ...problemsAt("partner_scope", extent)
    ]
    if (problems.length > 0 || Result.isFailure(partner) || Result.isFailure(extent)) return Result.fail(problems)
    const partner_scope = Option.getOrElse(extent.success, () => "self" as const)
    return Result.succeed(Option.map(partner.success, (partner_id): PartnerFilter => ({ partner_id, partner_scope })))
  }
}

/** Filters that can contain a filter by partner. */
interface WithPartner {
  readonly partner?: PartnerFilter
}

/**
 * Reads the records in scope, with a filter by partner if there is one. If the filter names the subtree of a partner
 * outside the scope (HIER-07), it returns `nothing` without a read.
 */
export const readByPartner = Effect.fnUntraced(function*<Filters extends WithPartner, A, E, R>(
  scope: SubtreeScope,
  { partner, ...filters }: Filters,
  read: (scope: SubtreeScope, filters: Omit<Filters, "partner"> & { readonly partner_id?: PartnerId }) => Effect.Effect<
    A,
    E,
    R
  >,
  nothing: A
) {
  if (partner === undefined) return yield* read(scope, filters)
  const { partner_id, partner_scope } = partner
  if (partner_scope === "self") return yield* read(scope, { ...filters, partner_id })
  const narrowed = narrowScope(partner_id, yield* (yield* PartnerTree).contains(scope, partner_id))
  return narrowed === undefined ? nothing : yield* read(narrowed, filters)
})

/** The result of a list without records. */
export const emptySlice = { items: [], total: 0, next: null }
