import {
  type CommissionLedger,
  CommissionSettlement,
  type EntryKind,
  type StoredEntry
} from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { centavos, maxCentavos } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { aCommissionEntry } from "../../builders/aCommissionEntry.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import { atomically, inParallel, repeatInParallel } from "../suite/transactions.ts"
import { aPayout, append, close, listEntries, period, storeEntry } from "./storedEntries.ts"

const sumOf = (entries: ReadonlyArray<StoredEntry>): number => entries.reduce((sum, { amount }) => sum + amount, 0)

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

/** Contract cases for the sums of CommissionSettlement. */
export const commissionSummaryCases: ContractCases<Ports> = (it) => {
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
}
