import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { IdGenerator } from "../ports/generators.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { CommissionPlans } from "./CommissionPlans.ts"
import { judgeStrictlyBelow, parseNewPlan } from "./judgePlan.ts"
import { type CommissionPlan, type NewPlan, type PlanId } from "./Plan.ts"
import { shownOn, showPlan } from "./showPlan.ts"

/** Builds the plan of a partner from an untrusted body. */
const newPlan = Effect.fnUntraced(function*(caller: Caller, partner_id: PartnerId, body: unknown, at: Timestamp) {
  const isRoot = partner_id === caller.root_id
  const parsed = yield* Effect.fromResult(parseNewPlan(body, { isRoot, today: saoPauloDate(at) }))
  const plan: NewPlan = {
    ...parsed,
    plan_id: (yield* (yield* IdGenerator).next) as PlanId,
    partner_id,
    created_at: at,
    created_by: caller.subject,
    writer_partner_id: caller.partner_id
  }
  return plan
})

/** Records a new plan in the audit. The entry has no share, because the partner itself can read it. */
const recordPlan = (caller: Caller, { created_at, partner_id, plan_id, rates, valid_from }: NewPlan) =>
  recordChange({
    events: [],
    at: created_at,
    caller,
    action: "commission_plan.create",
    subject_id: plan_id,
    partner_id,
    after: { plan_id, partner_id, valid_from, rates: rates.map(({ lender, table }) => ({ lender, table })) }
  })

/** Returns a new plan in the form that its writer sees. */
const shownToWriter = Effect.fnUntraced(function*(plan: NewPlan) {
  const today = saoPauloDate(plan.created_at)
  const links = yield* (yield* CommissionPlans).chain(plan.partner_id, shownOn(plan, today))
  const above = links.slice(0, -1).map((link) => link.partner_id).toReversed()
  const stored = { ...plan, above, moves: links.at(-1)?.moves ?? 0 }
  return showPlan(stored, { partner_id: plan.writer_partner_id, seesWriter: true }, links)
})

/**
 * Writes a plan of a descendant of the caller's own partner, or of that partner itself if it is a root. The body is
 * untrusted.
 */
export const createCommissionPlan = Effect.fnUntraced(function*(
  allowed: Allowed<"commissions:write">,
  partner_id: PartnerId,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  const write = Effect.gen(function*() {
    const tree = yield* PartnerTree
    yield* tree.lock(caller.root_id, "shared")
    const found = yield* tree.find(scopeOf(allowed), partner_id)
    const partner = yield* Effect.fromResult(judgeFound(found))
    yield* Effect.fromResult(judgeStrictlyBelow(caller, partner_id, { ownRoot: true }))
    const insert = Effect.fnUntraced(function*() {
      const plan = yield* newPlan(caller, partner_id, body, yield* currentTimestamp)
      yield* (yield* CommissionPlans).insert(partner, plan)
      yield* recordPlan(caller, plan)
      return yield* shownToWriter(plan)
    })
    return yield* runOnce<CommissionPlan, never, void, never, never>(allowed, key, {
      present: () => Effect.succeed(found),
      owner: (plan) => plan.partner_id,
      record: ({ plan_id }) => plan_id
    }, Effect.void)(insert)
  })
  return yield* (yield* UnitOfWork).atomically(write)
})
