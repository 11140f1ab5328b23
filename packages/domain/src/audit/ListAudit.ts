import { Effect, Result, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { boundedText, filterOf, type FilterParser } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageOf } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { parseFromFilter, parseToFilter } from "../values/instantFilter.ts"
import { parseUuid } from "../values/Uuid.ts"
import { auditItem, type AuditPage } from "./AuditItem.ts"
import { auditSortFields, AuditTrail } from "./AuditTrail.ts"

// Cc matches control characters. With the u flag, Cs matches lone surrogates only.
const unsearchable = /[\p{Cc}\p{Cs}]/u

/**
 * The filters for the subject, the actor and the action of audit entries match the exact text, and have at most 200
 * code points. A UUID is read in any letter case.
 * @rule PAGE-30
 */
export const parseAuditFilter: FilterParser<string> = filterOf((text) =>
  Result.flatMap(boundedText(text), (bounded) =>
    unsearchable.test(bounded)
      ? Result.fail(invalidFormat("visible text"))
      : Result.succeed(Result.getOrElse(parseUuid(bounded), () => bounded)))
)

const parseQuery = parseListQuery({
  filters: {
    subject_id: parseAuditFilter,
    actor: parseAuditFilter,
    action: parseAuditFilter,
    from: parseFromFilter,
    to: parseToFilter
  },
  fields: auditSortFields,
  time: "at"
})

/** Streams all audit entries of the partners in the caller's subtree that match. The query is untrusted. */
export const exportAudit = Effect.fnUntraced(function*(allowed: Allowed<"audit:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  return Stream.map((yield* AuditTrail).exportAll(scopeOf(allowed), parsed), auditItem)
})

/** Lists the audit entries of the partners in the caller's subtree, newest first. The query is untrusted. */
export const listAudit = Effect.fnUntraced(function*(
  allowed: Allowed<"audit:read">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { items, total } = yield* (yield* AuditTrail).list(scopeOf(allowed), parsed, budget)
  const page: AuditPage = pageOf({ items: items.map(auditItem), total }, parsed)
  return page
})
