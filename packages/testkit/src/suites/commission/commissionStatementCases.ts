import {
  CommissionLedger,
  CommissionStatements,
  type Period,
  type StatedContracts,
  type StatementComparison,
  type StatementKey
} from "@lastro/domain/commission"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { type CalendarDate, centavos } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { aCommissionEntry } from "../../builders/aCommissionEntry.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

type Ports = CommissionLedger | CommissionStatements | PartnerRepository | UnitOfWork

const day = (text: string) => text as CalendarDate

const storeEntry = Effect.fnUntraced(function*(
  path: ReadonlyArray<PartnerDetail>,
  fields: Parameters<typeof aCommissionEntry>[1]
) {
  const entry = yield* aCommissionEntry(path, fields)
  yield* CommissionLedger.use((ledger) => ledger.append([entry]))
  return entry
})

const listContracts = ({ partner_id }: PartnerDetail, fields: Partial<StatedContracts> = {}, limit = 100) =>
  CommissionStatements.use((statements) =>
    statements.contracts({
      root_id: partner_id,
      lender: "sandbox",
      references: [],
      first: day("2026-01-01"),
      last: day("2026-01-31"),
      ...fields
    }, limit)
  )

const resultOf = (matched: number): StatementComparison => ({
  matched,
  differences: [{ kind: "AMOUNT", field: "paid_amount", reference: "C-1", expected: 12.5, found: null }],
  unlisted: 2,
  compared_at: exampleInstant
})

const freshKey = Effect.fnUntraced(function*({ partner_id }: PartnerDetail) {
  const key: StatementKey = {
    root_id: partner_id,
    lender: "sandbox",
    period: "2026-01" as Period,
    digest: yield* freshId
  }
  return key
})

/** Contract cases for CommissionStatements. */
export const commissionStatementCases: ContractCases<Ports> = (it) => {
  it("`contracts` adds up the entries of all partners of a contract, and separates payments from reversals", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const { proposal_id } = yield* storeEntry([child, root], { amount: centavos(300) })
    yield* storeEntry([root], { proposal_id, amount: centavos(200) })
    const reversal = {
      proposal_id,
      kind: "CLAWBACK",
      paid_amount: centavos(-90_000),
      happened_on: day("2026-02-01")
    } as const
    yield* storeEntry([child, root], { ...reversal, amount: centavos(-300) })
    yield* storeEntry([root], { ...reversal, amount: centavos(-200) })
    yield* storeEntry([root], { proposal_id, kind: "ADJUSTMENT", amount: centavos(7) })
    const paid = {
      reference: "C-1",
      kind: "ACCRUAL",
      paid_amount: centavos(90_000),
      commission_amount: centavos(500),
      in_period: true
    } as const
    const reversed = {
      reference: "C-1",
      kind: "CLAWBACK",
      paid_amount: centavos(-90_000),
      commission_amount: centavos(-500),
      in_period: false
    } as const
    assert.deepStrictEqual(yield* listContracts(root), [paid])
    assert.sameDeepMembers([...yield* listContracts(root, { references: ["C-1"] })], [paid, reversed])
  })

  it("`contracts` returns those of the root and the lender, of the period or with one of the references", function*() {
    const [root, other] = yield* storeForest([null, null])
    yield* storeEntry([root], { reference: "first day", happened_on: day("2026-01-01") })
    yield* storeEntry([root], { reference: "last day", happened_on: day("2026-01-31") })
    yield* storeEntry([root], { reference: "before", happened_on: day("2025-12-31") })
    yield* storeEntry([root], { reference: "after", happened_on: day("2026-02-01") })
    yield* storeEntry([root], { reference: null, paid_amount: null })
    yield* storeEntry([root], { reference: "other lender", lender: "other" })
    yield* storeEntry([other], { reference: "other root" })
    const ofPeriod = yield* listContracts(root)
    assert.sameMembers(ofPeriod.map(({ reference }) => reference), ["first day", "last day", null])
    const references = ["after", "other lender", "other root", "unknown"]
    const withReferences = yield* listContracts(root, { references })
    assert.sameMembers(withReferences.map(({ reference }) => reference), ["first day", "last day", null, "after"])
    assert.strictEqual(withReferences.find(({ reference }) => reference === null)?.paid_amount, null)
    assert.strictEqual((yield* listContracts(root, { references }, 2)).length, 2)
    assert.strictEqual((yield* listContracts(other, { lender: "other" })).length, 0)
  })

  it("`find` returns what `store` stored for the same file, lender and period of a root", function*() {
    const [root, otherRoot] = yield* storeForest([null, null])
    const key = yield* freshKey(root)
    const { find, store } = yield* CommissionStatements
    assert.isTrue(Option.isNone(yield* find(key)))
    const result = resultOf(1)
    assert.deepStrictEqual(yield* atomically(store(key, result)), result)
    assert.deepStrictEqual(Option.getOrNull(yield* find(key)), result)
    const others: ReadonlyArray<StatementKey> = [
      { ...key, root_id: otherRoot.partner_id },
      { ...key, lender: "other" },
      { ...key, period: "2026-02" as Period },
      yield* freshKey(root)
    ]
    for (const other of others) assert.isTrue(Option.isNone(yield* find(other)))
  })

  it("`store` keeps the first result of a file, also if several are stored at once", function*() {
    const [root] = yield* storeForest([null])
    const key = yield* freshKey(root)
    const { find, store } = yield* CommissionStatements
    let count = 0
    const results = yield* repeatInParallel(3, Effect.suspend(() => atomically(store(key, resultOf(++count)))))
    const stored = Option.getOrNull(yield* find(key))
    assert.isNotNull(stored)
    for (const result of results) assert.deepStrictEqual(result, stored)
    assert.deepStrictEqual(yield* atomically(store(key, resultOf(100))), stored)
  })

  it("results of statements roll back with the surrounding transaction", function*() {
    const [root] = yield* storeForest([null])
    const key = yield* freshKey(root)
    const { find, store } = yield* CommissionStatements
    yield* rollBack(store(key, resultOf(1)))
    assert.isTrue(Option.isNone(yield* find(key)))
  })
}
