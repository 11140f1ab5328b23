import { Effect, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { parseChoiceFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { partnerFilter } from "../ports/partnerFilter.ts"
import { readListPage } from "../ports/readListPage.ts"
import { parseExactFilter } from "../values/exactFilter.ts"
import { ProposalId } from "../values/ids.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { EntryKind, EntryStatus, publicEntry } from "./CommissionEntry.ts"
import { CommissionLedger, entrySortFields } from "./CommissionLedger.ts"
import { parsePeriodFilter } from "./period.ts"

const parseQuery = parseListQuery({
  filters: {
    period: parsePeriodFilter,
    status: parseChoiceFilter(EntryStatus.literals),
    kind: parseChoiceFilter(EntryKind.literals),
    proposal_id: parseIdFilter(ProposalId),
    lender: parseExactFilter
  },
  groups: { partner: partnerFilter },
  fields: entrySortFields,
  time: "occurred_at"
})

/**
 * Lists the commission entries of the caller's partner, and of the partners that were below it when the entries were
 * frozen. The query is untrusted.
 */
export const listCommissions = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:read">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { list } = yield* CommissionLedger
  const scope = scopeOf(allowed)
  const page = yield* readListPage("commissions", scope, parsed, (pageQuery) => list(scope, pageQuery, budget))
  return { ...page, content: page.content.map(publicEntry) }
})

/** Streams all commission entries of the list. The query is untrusted. */
export const exportCommissions = Effect.fnUntraced(function*(allowed: Allowed<"commissions:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { exportAll } = yield* CommissionLedger
  return Stream.map(exportAll(scopeOf(allowed), parsed), publicEntry)
})
