import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { IdGenerator } from "../ports/generators.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { CommissionPlans } from "./CommissionPlans.ts"
import { judgeStrictlyBelow, parseNewPlan } from "./judgePlan.ts"
import { type CommissionPlan, type NewPlan, type PlanId } from "./Plan.ts"
import { shownOn, showPlan } from "./showPlan.ts"

/**
 * Writes a plan of a partner strictly below the caller's own, or of the caller's own root. The body is untrusted. The
 * audit entry has no share, because the partner itself can read this entry.
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
    const plans = yield* CommissionPlans
    yield* tree.lock(caller.root_id, "shared")
    const found = yield* tree.find(scopeOf(allowed), partner_id)
    const partner = yield* Effect.fromResult(judgeFound(found))
    yield* Effect.fromResult(judgeStrictlyBelow(caller, partner_id, { ownRoot: true }))
    return yield* runOnce<CommissionPlan, never, void, never, never>(allowed, key, {
      present: () => Effect.succeed(found),
      owner: (plan) => plan.partner_id,
      record: ({ plan_id }) => plan_id
    }, Effect.void)(Effect.fnUntraced(function*() {
      const at = yield* currentTimestamp
      const today = saoPauloDate(at)
      const parsed = yield* Effect.fromResult(
        parseNewPlan(body, { isRoot: partner_id === caller.root_id, today })
      )
      const plan: NewPlan = {
        ...parsed,
        plan_id: (yield* (yield* IdGenerator).next) as PlanId,
        partner_id,
        created_at: at,
        created_by: caller.subject,
        writer_partner_id: caller.partner_id
      }
      yield* plans.insert(partner, plan)
      yield* recordChange({
        events: [],
        at,
        caller,
        action: "commission_plan.create",
        subject_id: plan.plan_id,
        partner_id,
        after: {
          plan_id: plan.plan_id,
          partner_id,
          valid_from: plan.valid_from,
          rates: plan.rates.map(({ lender, table }) => ({ lender, table }))
        }
      })
      const links = yield* plans.chain(partner_id, shownOn(plan, today))
      const above = links.slice(0, -1).map((link) => link.partner_id).toReversed()
      const stored = { ...plan, above, moves: links.at(-1)?.moves ?? 0 }
      return showPlan(stored, { partner_id: caller.partner_id, seesWriter: true }, links)
    }))
  })
  return yield* (yield* UnitOfWork).atomically(write)
})
