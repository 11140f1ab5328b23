import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageOf } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { readListPage } from "../ports/readListPage.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { CommissionSettlement, type PayoutQuery, payoutSortFields, summarySortFields } from "./CommissionSettlement.ts"
import { publicPayout } from "./Payout.ts"
import { parsePeriodFilter, periodOf } from "./period.ts"
import { type CommissionSummaryPage, inReais, summaryOf } from "./summary.ts"

const parseSummary = parseListQuery({
  filters: { period: parsePeriodFilter, partner_id: parseIdFilter(PartnerId) },
  fields: summarySortFields,
  time: "partner_id"
})

/**
 * Returns the commissions of a period, for each partner whose entries the caller can see. Default period: the current
 * month. The query is untrusted.
 */
export const summarizeCommissions = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:read">,
  query: RawQuery,
  budget?: number
) {
  const { after, filters: { period, ...filters }, ...parsed } = yield* Effect.fromResult(parseSummary(query))
  if (after !== undefined) {
    return yield* new ValidationFailed({ problems: [fieldProblem("query.after", problem("UNKNOWN_FIELD"))] })
  }
  const { summarize } = yield* CommissionSettlement
  const month = period ?? periodOf(saoPauloDate(yield* currentTimestamp))
  const slice = yield* summarize(scopeOf(allowed), { ...parsed, filters: { ...filters, period: month } }, budget)
  const page: CommissionSummaryPage = {
    ...pageOf({
      ...slice,
      items: slice.items.map((sums) => ({ partner_id: sums.partner_id, ...inReais(summaryOf(sums)) }))
    }, parsed),
    total: inReais(slice.sums)
  }
  return page
})

const parsePayouts = parseListQuery({
  filters: { partner_id: parseIdFilter(PartnerId) },
  fields: payoutSortFields
})

/**
 * Lists the payouts that the caller's partner has received, and those that this partner or one below it has made. The
 * query is untrusted.
 */
export const listCommissionPayouts = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:read">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parsePayouts(query))
  const { listPayouts } = yield* CommissionSettlement
  const scope = scopeOf(allowed)
  const read = (pageQuery: PayoutQuery) => listPayouts(scope, pageQuery, budget)
  const page = yield* readListPage("commission payouts", scope, parsed, read)
  return { ...page, content: page.content.map(publicPayout) }
})
