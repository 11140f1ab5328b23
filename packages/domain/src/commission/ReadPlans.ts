import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { filterOf } from "../input/Filter.ts"
import { parseFilters, parseListQuery } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { readListPage } from "../ports/readListPage.ts"
import { type CalendarDate, parseCalendarDate, saoPauloDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { type ChainLink } from "./chain.ts"
import { CommissionPlans, planSortFields } from "./CommissionPlans.ts"
import { type StoredPlan } from "./Plan.ts"
import { shownOn, showPlan } from "./showPlan.ts"

const findPartner = Effect.fnUntraced(function*(allowed: Allowed<"commissions:read">, partner_id: PartnerId) {
  return yield* Effect.fromResult(judgeFound(yield* (yield* PartnerTree).find(scopeOf(allowed), partner_id)))
})

/** Returns the fields of a plan that the caller can see (COMM-17). */
const shownTo = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:read">,
  plan: StoredPlan,
  links: ReadonlyArray<ChainLink>
) {
  const seesWriter = yield* (yield* PartnerTree).contains(scopeOf(allowed), plan.writer_partner_id)
  return showPlan(plan, { partner_id: allowed.caller.partner_id, seesWriter }, links)
})

const parseListed = parseListQuery({ filters: {}, fields: planSortFields })

/** Lists the plans of a partner in the caller's subtree, newest first. The query is untrusted. */
export const listCommissionPlans = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:read">,
  partner_id: PartnerId,
  query: RawQuery,
  budget?: number
) {
  const partner = yield* findPartner(allowed, partner_id)
  const parsed = yield* Effect.fromResult(parseListed(query))
  const { chain, list } = yield* CommissionPlans
  const page = yield* readListPage(
    `commission plans ${partner_id}`,
    scopeOf(allowed),
    parsed,
    (pageQuery) => list(partner, pageQuery, budget)
  )
  const today = saoPauloDate(yield* currentTimestamp)
  const chains = new Map<CalendarDate, ReadonlyArray<ChainLink>>()
  const content = yield* Effect.forEach(page.content, (plan) =>
    Effect.gen(function*() {
      const on = shownOn(plan, today)
      const links = chains.get(on) ?? (yield* chain(partner_id, on))
      chains.set(on, links)
      // The plans of a deep chain can have thousands of rates. Other requests can run between two plans.
      yield* Effect.yieldNow
      return yield* shownTo(allowed, plan, links)
    }))
  return { ...page, content }
})

const parseCurrent = parseFilters({ filters: { on: filterOf(parseCalendarDate) }, groups: {} })

/**
 * Returns the plan of a partner in the caller's subtree that is in force on a day. Default: today. Fails with NotFound
 * if there is none. The query is untrusted.
 */
export const getCurrentCommissionPlan = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:read">,
  partner_id: PartnerId,
  query: RawQuery
) {
  yield* findPartner(allowed, partner_id)
  const { on = saoPauloDate(yield* currentTimestamp) } = yield* Effect.fromResult(parseCurrent(query))
  const links = yield* (yield* CommissionPlans).chain(partner_id, on)
  const plan = links.at(-1)?.plan ?? null
  return plan === null ? yield* new NotFound() : yield* shownTo(allowed, plan, links)
})
