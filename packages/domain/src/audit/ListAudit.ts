import { Effect, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { emptySlice, partnerFilter, readByPartner } from "../ports/partnerFilter.ts"
import { readListPage } from "../ports/readListPage.ts"
import { parseExactFilter } from "../values/exactFilter.ts"
import { parseFromFilter, parseToFilter } from "../values/instantFilter.ts"
import { auditItem, type AuditPage } from "./AuditItem.ts"
import { auditSortFields, AuditTrail } from "./AuditTrail.ts"

const parseQuery = parseListQuery({
  filters: {
    subject_id: parseExactFilter,
    actor: parseExactFilter,
    action: parseExactFilter,
    from: parseFromFilter,
    to: parseToFilter
  },
  groups: { partner: partnerFilter },
  fields: auditSortFields,
  time: "at"
})

/** Streams all audit entries of the partners in the caller's subtree that match. The query is untrusted. */
export const exportAudit = Effect.fnUntraced(function*(allowed: Allowed<"audit:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { exportAll } = yield* AuditTrail
  const entries = yield* readByPartner(
    scopeOf(allowed),
    parsed.filters,
    (scope, filters) => Effect.succeed(exportAll(scope, { ...parsed, filters })),
    Stream.empty
  )
  return Stream.map(entries, auditItem)
})

/** Lists the audit entries of the partners in the caller's subtree, newest first. The query is untrusted. */
export const listAudit = Effect.fnUntraced(function*(
  allowed: Allowed<"audit:read">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { list } = yield* AuditTrail
  const stored = yield* readListPage("audit", scopeOf(allowed), parsed, (query) =>
    readByPartner(
      scopeOf(allowed),
      query.filters,
      (scope, filters) => list(scope, { ...query, filters }, budget),
      emptySlice
    ))
  const page: AuditPage = { ...stored, content: stored.content.map(auditItem) }
  return page
})
