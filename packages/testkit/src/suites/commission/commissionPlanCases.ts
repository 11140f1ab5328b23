import { CommissionPlans, type NewPlan, type PlanQuery, type StoredRate } from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type CalendarDate, type PartnerId, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { aCommissionPlan } from "../../builders/aCommissionEntry.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk } from "../suite/queries.ts"
import { atomically, rollBack } from "../suite/transactions.ts"

const day = (text: string) => text as CalendarDate

const rates = (share: number): ReadonlyArray<StoredRate> => [{ lender: null, table: null, share: share as never }]

const storePlan = Effect.fnUntraced(function*(partner: PartnerDetail, fields: Partial<NewPlan> = {}) {
  const plan = yield* aCommissionPlan(partner, fields)
  yield* (yield* CommissionPlans).insert(asOperator.inScope(partner.partner_id), plan)
  return plan
})

const at = (hour: number) => ({ created_at: `2026-01-01T0${hour}:00:00.000Z` as Timestamp })

const query = (fields: Partial<PlanQuery> = {}): PlanQuery => ({
  filters: {},
  page: { number: 0, size: 100 },
  sort: [{ property: "created_at", direction: "desc" }],
  ...fields
})

/** Returns the partners from the root to a partner, each with the id of its plan in force on a day, or null. */
const chainOf = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, on: string) {
  const links = yield* (yield* CommissionPlans).chain(partner_id, day(on))
  return links.map((link) => [link.partner_id, link.plan?.plan_id ?? null])
})

const move = Effect.fnUntraced(function*(partner: PartnerDetail, parent: PartnerDetail, root: PartnerDetail) {
  const tree = yield* PartnerTree
  yield* atomically(Effect.andThen(
    tree.lock(root.partner_id, "exclusive"),
    tree.move(asOperator.inScope(partner), asOperator.inScope(parent.partner_id))
  ))
})

/** Contract cases for CommissionPlans. */
export const commissionPlanCases: ContractCases<CommissionPlans | PartnerRepository | PartnerTree | UnitOfWork> = (
  it
) => {
  it("`chain` returns the partners from the root to a partner, and none for an unknown one", function*() {
    const { chain } = yield* CommissionPlans
    const [root, child, grandchild] = yield* storeForest([null, 0, 1, 0])
    const links = yield* chain(grandchild.partner_id, day("2026-01-01"))
    assert.deepStrictEqual(
      links,
      [root, child, grandchild].map(({ partner_id }) => ({ partner_id, moves: 0, plan: null }))
    )
    assert.deepStrictEqual(yield* chain((yield* freshId) as PartnerId, day("2026-01-01")), [])
  })

  it("COMM-08 a plan counts until a later one begins; of two with the same day, the later one counts", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const ofRoot = yield* storePlan(root, { basis: "NET", rates: rates(100_000) })
    const first = yield* storePlan(child, { valid_from: day("2026-02-01"), rates: rates(1) })
    const second = yield* storePlan(child, { valid_from: day("2026-03-01"), rates: rates(2) })
    const third = yield* storePlan(child, { valid_from: day("2026-02-01"), rates: rates(3) })
    const expected = (id: string | null) => [[root.partner_id, ofRoot.plan_id], [child.partner_id, id]]
    assert.deepStrictEqual(yield* chainOf(child, "2026-01-31"), expected(null))
    assert.deepStrictEqual(yield* chainOf(child, "2026-02-01"), expected(third.plan_id))
    assert.deepStrictEqual(yield* chainOf(child, "2026-03-01"), expected(second.plan_id))
    assert.notStrictEqual(first.plan_id, third.plan_id)
  })

  it("COMM-08 after a move, a partner has no plan until one is written, also after a move back", function*() {
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const old = yield* storePlan(child, { rates: rates(1) })
    const below = (parent: PartnerDetail, planId: string | null) => [
      [root.partner_id, null],
      [parent.partner_id, null],
      [child.partner_id, planId]
    ]
    assert.deepStrictEqual(yield* chainOf(child, "2026-01-01"), below(left, old.plan_id))
    yield* move(child, right, root)
    assert.deepStrictEqual(yield* chainOf(child, "2026-01-01"), below(right, null))
    yield* move({ ...child, parent_id: right.partner_id }, left, root)
    assert.deepStrictEqual(yield* chainOf(child, "2026-01-01"), below(left, null))
    const written = yield* storePlan(child, { rates: rates(2) })
    assert.deepStrictEqual(yield* chainOf(child, "2026-01-01"), below(left, written.plan_id))
  })

  it("`chain` keeps deleted partners at their place", function*() {
    const [root, child, grandchild] = yield* storeForest([null, 0, 1])
    const plan = yield* storePlan(child, { rates: rates(1) })
    const partners = yield* PartnerRepository
    yield* partners.remove(asOperator.inScope(child), "2026-01-02T00:00:00.000Z" as Timestamp)
    assert.deepStrictEqual(yield* chainOf(grandchild, "2026-01-01"), [
      [root.partner_id, null],
      [child.partner_id, plan.plan_id],
      [grandchild.partner_id, null]
    ])
  })

  it("COMM-08 the move of an ancestor changes nothing of the plans below it", function*() {
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const plan = yield* storePlan(child, { rates: rates(1) })
    yield* move(left, right, root)
    assert.deepStrictEqual((yield* chainOf(child, "2026-01-01")).at(-1), [child.partner_id, plan.plan_id])
  })

  it("`insert` stores a plan with the present place of its partner, which never changes", function*() {
    const { list } = yield* CommissionPlans
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const plan = yield* storePlan(child, {
      rates: [{ lender: "sandbox", table: "ouro", share: 125_000 as never }, ...rates(600_000)],
      created_by: "somebody",
      writer_partner_id: left.partner_id
    })
    yield* move(child, right, root)
    const { items } = yield* list(asOperator.inScope(child.partner_id), query())
    assert.deepStrictEqual([...items], [{ ...plan, above: [left.partner_id, root.partner_id], moves: 0 }])
  })

  it("PAGE-39 `list` returns the plans of a partner in order, their number, and a walk through them", function*() {
    const { list } = yield* CommissionPlans
    const [root, child] = yield* storeForest([null, 0])
    const stored = [yield* storePlan(child, at(1)), yield* storePlan(child, at(2)), yield* storePlan(child, at(3))]
    yield* storePlan(root, at(4))
    const owner = asOperator.inScope(child.partner_id)
    const ids = stored.map(({ plan_id }) => plan_id)
    const page = yield* list(owner, query({ page: { number: 0, size: 2 } }))
    assert.deepStrictEqual(page.items.map(({ plan_id }) => plan_id), ids.toReversed().slice(0, 2))
    assert.strictEqual(page.total, 3)
    const sort = [{ property: "created_at", direction: "asc" }] as const
    const walked = yield* readWalk(2, (after) => list(owner, query({ sort, page: { number: 0, size: 2 }, after })))
    assert.deepStrictEqual(walked.map(({ plan_id }) => plan_id), ids)
    assert.strictEqual((yield* Effect.flip(list(owner, query(), 2)))._tag, "ReadBudgetExceeded")
  })

  it("writes of plans roll back with the surrounding transaction", function*() {
    const [root] = yield* storeForest([null])
    yield* rollBack(storePlan(root, { basis: "NET", rates: rates(1) }))
    assert.deepStrictEqual(yield* chainOf(root, "2026-01-01"), [[root.partner_id, null]])
  })
}
