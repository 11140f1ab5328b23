import { type CommissionLedger, CommissionSettlement, type PayoutId } from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { centavos, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk, scopeOfPartner } from "../suite/queries.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"
import { aClosing, aPayout, close, day, listEntries, period, storeEntry } from "./storedEntries.ts"

type Ports = ApplicationRepository | CommissionLedger | CommissionSettlement | PartnerRepository | UnitOfWork

/** Contract cases for CommissionSettlement. */
export const commissionSettlementCases: ContractCases<Ports> = (it) => {
  it("`close` closes what the caller sees and is payable, up to the period; the first closing stays", function*() {
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const seen = [child, left, root]
    const due = yield* storeEntry(seen, { amount: centavos(10) })
    const earlier = yield* storeEntry(seen, { amount: centavos(4), period: period("2025-12") })
    const held = yield* storeEntry(seen, { amount: centavos(100), payable_on: day("2026-02-03") })
    const later = yield* storeEntry(seen, { amount: centavos(1_000), period: period("2026-02") })
    const unseen = yield* storeEntry([child, right, root], { amount: centavos(10_000) })
    const ofLeft = yield* storeEntry([left, root], { amount: centavos(100_000) })
    const first = yield* close(left, child, "2026-01", "2026-02-02")
    assert.deepStrictEqual([first.entries, first.amount], [2, centavos(14)])
    const statuses = new Map((yield* listEntries(root)).map(({ entry_id, status }) => [entry_id, status]))
    assert.deepStrictEqual(
      [due, earlier, held, later, unseen, ofLeft].map(({ entry_id }) => statuses.get(entry_id)),
      ["CLOSED", "CLOSED", "OPEN", "OPEN", "OPEN", "OPEN"]
    )
    const again = yield* close(left, child, "2026-01", "2026-02-03")
    assert.deepStrictEqual(again, { ...first, entries: 1, amount: centavos(100) })
    assert.strictEqual((yield* close(root, child, "2026-01", "2026-02-03")).closing_id, first.closing_id)
  })

  it("`close` closes at most `limit` entries, those of the earliest periods first", function*() {
    const settlement = yield* CommissionSettlement
    const [root, child] = yield* storeForest([null, 0])
    const months = ["2026-01", "2025-12", "2025-11", "2025-11"]
    yield* Effect.forEach(months, (month) => storeEntry([child, root], { period: period(month) }))
    const closeUpTo = Effect.fnUntraced(function*(limit: number) {
      const closing = { ...yield* aClosing("2026-01", "2026-02-02"), limit }
      const { entries, is_complete } = yield* atomically(
        settlement.close(scopeOfPartner(root), asOperator.inScope(child.partner_id), closing)
      )
      const closed = (yield* listEntries(root)).filter(({ status }) => status === "CLOSED")
      return { entries, is_complete, closed: closed.map((entry): string => entry.period).toSorted() }
    })
    const all = months.toSorted()
    assert.deepStrictEqual(yield* closeUpTo(2), { entries: 2, is_complete: false, closed: months.slice(2) })
    assert.deepStrictEqual(yield* closeUpTo(2), { entries: 2, is_complete: true, closed: all })
    assert.deepStrictEqual(yield* closeUpTo(2), { entries: 0, is_complete: true, closed: all })
    yield* storeEntry([child, root], { period: period("2026-01") })
    assert.deepStrictEqual(yield* closeUpTo(0), { entries: 0, is_complete: false, closed: all })
  })

  it("COMM-22 closings at the same time are one closing, and close each entry once", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* storeEntry([child, root], { amount: centavos(10) })
    const closings = yield* repeatInParallel(3, close(root, child, "2026-01", "2026-02-02"))
    assert.strictEqual(new Set(closings.map(({ closing_id }) => closing_id)).size, 1)
    assert.sameMembers(closings.map(({ entries }) => entries), [1, 0, 0])
  })

  it("`closedSum` and `pay` count the CLOSED entries that the caller sees, up to the period", function*() {
    const { closedSum, listPayouts, pay } = yield* CommissionSettlement
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const closed = { status: "CLOSED" } as const
    const seen = [child, left, root]
    const paid = [
      yield* storeEntry(seen, { ...closed, amount: centavos(30) }),
      yield* storeEntry(seen, { ...closed, amount: centavos(70), period: period("2025-12") })
    ]
    yield* storeEntry(seen, { amount: centavos(1) })
    yield* storeEntry(seen, { ...closed, amount: centavos(2), period: period("2026-02") })
    yield* storeEntry([child, right, root], { ...closed, amount: centavos(4) })
    const scope = scopeOfPartner(left)
    const payee = asOperator.inScope(child.partner_id)
    const stored = yield* aPayout(child, [child, left, root])
    const sums = yield* repeatInParallel(
      3,
      atomically(Effect.gen(function*() {
        const { amount, entries } = yield* closedSum(scope, payee, period("2026-01"))
        if (amount > 0) yield* pay(scope, payee, { ...stored, payout_id: (yield* freshId) as PayoutId, amount })
        return { amount, entries }
      }))
    )
    assert.sameDeepMembers<unknown>(sums, [{ amount: 100, entries: 2 }, { amount: 0, entries: 0 }, {
      amount: 0,
      entries: 0
    }])
    const entries = yield* listEntries(root, { filters: { status: "PAID" } })
    const payouts = yield* listPayouts(scope, {
      filters: { partner_id: child.partner_id },
      page: { number: 0, size: 10 },
      sort: [{ property: "created_at", direction: "desc" }]
    })
    const payout_id = payouts.items[0]?.payout_id as PayoutId
    assert.deepStrictEqual([...payouts.items], [{ ...stored, payout_id, amount: centavos(100) }])
    assert.sameDeepMembers(entries, paid.map((entry) => ({ ...entry, status: "PAID" as const, payout_id })))
  })

  it("PAGE-39 `listPayouts` returns the payouts with the partner as a viewer, in order, and a walk", function*() {
    const { listPayouts, pay } = yield* CommissionSettlement
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const store = Effect.fnUntraced(
      function*(payee: PartnerDetail, viewers: ReadonlyArray<PartnerDetail>, hour: number) {
        const created_at = `2026-01-01T0${hour}:00:00.000Z` as Timestamp
        const stored = yield* aPayout(payee, viewers, { created_at })
        yield* atomically(pay(scopeOfPartner(root), asOperator.inScope(payee.partner_id), stored))
        return stored
      }
    )
    const first = yield* store(child, [child, left, root], 1)
    const second = yield* store(child, [child, root], 2)
    const third = yield* store(right, [right, root], 3)
    const read = (viewer: PartnerDetail, fields: object = {}, budget?: number) =>
      listPayouts(scopeOfPartner(viewer), {
        filters: {},
        page: { number: 0, size: 2 },
        sort: [{ property: "created_at", direction: "desc" }],
        ...fields
      }, budget)
    assert.deepStrictEqual(yield* read(root), { items: [third, second], total: 3 })
    assert.deepStrictEqual([...(yield* read(child)).items], [second, first])
    assert.deepStrictEqual([...(yield* read(left)).items], [first])
    assert.deepStrictEqual([...(yield* read(root, { filters: { partner_id: right.partner_id } })).items], [third])
    assert.deepStrictEqual([...yield* readWalk(2, (after) => read(root, { after }))], [third, second, first])
    const refused = yield* Effect.flip(read(root, { filters: { partner_id: child.partner_id } }, 1))
    assert.strictEqual(refused._tag, "ReadBudgetExceeded")
  })

  it("closings and payouts roll back with the surrounding transaction", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const entry = yield* storeEntry([child, root])
    yield* rollBack(close(root, child, "2026-01", "2026-02-01"))
    assert.deepStrictEqual(yield* listEntries(root), [entry])
  })
}
