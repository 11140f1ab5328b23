import {
  type CommissionLedger,
  CommissionSettlement,
  type EntryKind,
  type PayoutId,
  type StoredEntry,
  type StoredPayout
} from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { centavos, maxCentavos, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { aCommissionEntry } from "../../builders/aCommissionEntry.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk, scopeOfPartner } from "../suite/queries.ts"
import { atomically, inParallel, repeatInParallel, rollBack } from "../suite/transactions.ts"
import { aClosing, append, close, day, listEntries, period, storeEntry } from "./storedEntries.ts"

const sumOf = (entries: ReadonlyArray<StoredEntry>): number => entries.reduce((sum, { amount }) => sum + amount, 0)

const aPayout = Effect.fnUntraced(function*(
  payee: PartnerDetail,
  viewers: ReadonlyArray<PartnerDetail>,
  fields: Partial<StoredPayout> = {}
) {
  const payout: StoredPayout = {
    payout_id: (yield* freshId) as PayoutId,
    partner_id: payee.partner_id,
    viewers: viewers.map(({ partner_id }) => partner_id),
    period: period("2026-01"),
    amount: centavos(100),
    withheld: [{ kind: "ISS", amount: centavos(5) }],
    net_amount: centavos(95),
    reference: "TED 1",
    paid_at: exampleInstant,
    created_at: exampleInstant,
    ...fields
  }
  return payout
})

/** Reads the sums of a month that a caller sees. */
const summarize = (
  caller: PartnerDetail,
  { budget, month = "2026-01", size = 100 }: {
    readonly month?: string
    readonly size?: number
    readonly budget?: number
  } = {}
) =>
  CommissionSettlement.use((settlement) =>
    settlement.summarize(scopeOfPartner(caller), {
      filters: { period: period(month) },
      page: { number: 0, size },
      sort: [{ property: "partner_id", direction: "asc" }]
    }, budget)
  )

type Ports = ApplicationRepository | CommissionLedger | CommissionSettlement | PartnerRepository | UnitOfWork

/** Contract cases for CommissionSettlement. */
export const commissionSettlementCases: ContractCases<Ports> = (it) => {
  it("COMM-19 `summarize` returns the sums of each partner that the caller sees, and the sums over all", function*() {
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const seen = [child, left, root]
    yield* storeEntry(seen, { amount: centavos(1_000) })
    yield* storeEntry(seen, { amount: centavos(-300), kind: "CLAWBACK" })
    yield* storeEntry(seen, { amount: centavos(20), kind: "ADJUSTMENT", status: "PAID", payout_id: null })
    yield* storeEntry(seen, { amount: centavos(-70), kind: "ADJUSTMENT", period: period("2025-12") })
    yield* storeEntry(seen, { amount: centavos(-5), status: "PAID", period: period("2025-12") })
    yield* storeEntry([child, right, root], { amount: centavos(7) })
    yield* storeEntry([left, root], { amount: centavos(500) })
    yield* storeEntry([root], { amount: centavos(9_000), period: period("2026-02") })
    const ofChild = { accrued: 1_000, clawed_back: -300, adjusted: 20, paid: 20, contracts: 0, earlier: -70 }
    const ofLeft = { accrued: 500, clawed_back: 0, adjusted: 0, paid: 0, contracts: 1, earlier: 0 }
    const whole = yield* summarize(left)
    const expected = [{ partner_id: child.partner_id, ...ofChild }, { partner_id: left.partner_id, ...ofLeft }]
    assert.deepStrictEqual<unknown>(
      [...whole.items],
      expected.toSorted((a, b) => a.partner_id < b.partner_id ? -1 : 1)
    )
    assert.strictEqual(whole.total, 2)
    assert.deepStrictEqual<unknown>(whole.sums, {
      accrued: 1_500,
      clawed_back: -300,
      adjusted: 20,
      balance: 1_220,
      carried: -70,
      paid: 20,
      payable: 1_130,
      contracts: 1
    })
    const firstPage = yield* summarize(left, { size: 1 })
    assert.deepStrictEqual([firstPage.items.length, firstPage.total, firstPage.sums], [1, 2, whole.sums])
    const refused = yield* Effect.flip(summarize(left, { size: 1, budget: 1 }))
    assert.strictEqual(refused._tag, "ReadBudgetExceeded")
    assert.strictEqual((yield* summarize(right)).sums.accrued, 7)
  })

  it.forAll(
    "COMM-19 `summarize` and `list` agree after any appends, closings and payouts",
    fc.array(fc.tuple(fc.nat(7), fc.nat(3), fc.integer({ min: -50, max: 100 })), { minLength: 1, maxLength: 12 }),
    function*(steps) {
      const { closedSum, pay } = yield* CommissionSettlement
      const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
      const paths = [[child, left, root], [child, right, root], [left, root], [root]] as const
      const kinds = ["ACCRUAL", "CLAWBACK", "ADJUSTMENT", "ACCRUAL"] as const
      for (const [action, index, amount] of steps) {
        const path = paths[index] ?? [root]
        const [payee] = path
        const caller = index === 0 ? left : root
        if (action === 6) {
          yield* close(caller, payee, "2026-02", "2026-12-31")
        } else if (action === 7) {
          const payout = yield* aPayout(payee, path, { period: period("2026-02") })
          const [scope, owner] = [scopeOfPartner(caller), asOperator.inScope(payee.partner_id)]
          yield* atomically(Effect.andThen(closedSum(scope, owner, payout.period), pay(scope, owner, payout)))
        } else {
          const month = period(action % 2 === 0 ? "2026-01" : "2026-02")
          yield* storeEntry(path, { amount: centavos(amount), kind: kinds[action % 4] ?? "ACCRUAL", period: month })
        }
      }
      for (const viewer of [root, left, right, child]) {
        const entries = yield* listEntries(viewer)
        for (const month of ["2026-01", "2026-02"]) {
          const { items, total } = yield* summarize(viewer, { month })
          const inMonth = entries.filter((entry) => entry.period === month)
          assert.sameDeepMembers(yield* listEntries(viewer, { filters: { period: period(month) } }), inMonth)
          const partners = Array.from(new Set(inMonth.map(({ partner_id }) => partner_id)))
          const expected = partners.map((partner_id) => {
            const isOwn = (entry: StoredEntry) => entry.partner_id === partner_id
            const own = inMonth.filter(isOwn)
            const ofKind = (kind: EntryKind) => own.filter((entry) => entry.kind === kind)
            const earlier = entries.filter((entry) => isOwn(entry) && entry.period < month)
            return {
              partner_id,
              accrued: sumOf(ofKind("ACCRUAL")),
              clawed_back: sumOf(ofKind("CLAWBACK")),
              adjusted: sumOf(ofKind("ADJUSTMENT")),
              paid: sumOf(own.filter(({ status }) => status === "PAID")),
              contracts: ofKind("ACCRUAL").length - ofKind("CLAWBACK").length,
              earlier: sumOf(earlier.filter(({ status }) => status !== "PAID"))
            }
          })
          assert.sameDeepMembers<unknown>([...items], expected)
          assert.strictEqual(total, partners.length)
        }
      }
    }
  )

  it("COMM-19 `summarize` and `close` add up more than one amount can be", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const amount = centavos(maxCentavos)
    yield* storeEntry([child, root], { amount, kind: "ADJUSTMENT" })
    yield* storeEntry([child, root], { amount, kind: "ADJUSTMENT" })
    const { items: [sums] } = yield* summarize(root)
    assert.strictEqual(sums?.adjusted, 2 * maxCentavos)
    assert.strictEqual((yield* close(root, child, "2026-01", "2026-02-01")).amount, 2 * maxCentavos)
  })

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

  it("COMM-19 `summarize` counts entries that are appended at the same time, in any order of their partners", function*() {
    const [root, left, child] = yield* storeForest([null, 0, 1])
    const paths = [[child, left, root], [left, root], [root]] as const
    const appendAll = (order: "forwards" | "backwards") =>
      Effect.gen(function*() {
        const entries = yield* Effect.forEach(paths, (path) => aCommissionEntry(path, { amount: centavos(1) }))
        yield* atomically(append(order === "forwards" ? entries : entries.toReversed()))
      })
    yield* inParallel([repeatInParallel(3, appendAll("forwards")), repeatInParallel(3, appendAll("backwards"))])
    const { sums } = yield* summarize(root)
    assert.deepStrictEqual([sums.accrued, sums.contracts], [18, 18])
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
