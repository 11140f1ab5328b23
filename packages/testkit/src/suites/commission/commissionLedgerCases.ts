import { CommissionLedger, type CommissionSettlement, type PayoutId } from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { centavos, type ProposalId, type Timestamp } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Stream } from "effect"
import { aCommissionEntry } from "../../builders/aCommissionEntry.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeContractedApplication, storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { readWalk, recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { proposalIdOf } from "../suite/storedRecords.ts"
import { repeatInParallel, rollBack } from "../suite/transactions.ts"
import { append, close, entryQuery, listEntries, period, storeEntry } from "./storedEntries.ts"

const at = (hour: number) => ({ occurred_at: `2026-01-01T0${hour}:00:00.000Z` as Timestamp })

const entriesOf = ({ partner_id }: PartnerDetail, partner_scope: "self" | "subtree") => ({
  filters: { partner: { partner_id, partner_scope } }
})

type Ports = ApplicationRepository | CommissionLedger | CommissionSettlement | PartnerRepository | UnitOfWork

/** Contract cases for CommissionLedger. */
export const commissionLedgerCases: ContractCases<Ports> = (it) => {
  it("`append` stores every field, and `accruals` returns the ACCRUALs of a contract", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const accrual = yield* aCommissionEntry([child, root])
    const proposal_id = accrual.proposal_id as ProposalId
    const ofRoot = yield* aCommissionEntry([root], { proposal_id })
    const clawback = yield* aCommissionEntry([child, root], { proposal_id, kind: "CLAWBACK", amount: centavos(-1_250) })
    const adjustment = yield* aCommissionEntry([child, root], {
      proposal_id: null,
      kind: "ADJUSTMENT",
      basis_amount: null,
      lender: null,
      table: null,
      seller_partner_id: null,
      note: "Bonus",
      reference: null,
      paid_amount: null
    })
    yield* append([accrual, ofRoot, clawback, adjustment])
    assert.sameDeepMembers(yield* listEntries(root), [accrual, ofRoot, clawback, adjustment])
    assert.sameDeepMembers([...yield* (yield* CommissionLedger).accruals(proposal_id)], [accrual, ofRoot])
  })

  it("`append` leaves out a second ACCRUAL or CLAWBACK, and no ADJUSTMENT", function*() {
    const [root] = yield* storeForest([null])
    const first = yield* storeEntry([root])
    const { proposal_id } = first
    yield* storeEntry([root], { proposal_id, amount: centavos(1) })
    const clawback = yield* storeEntry([root], { proposal_id, kind: "CLAWBACK" })
    yield* repeatInParallel(3, storeEntry([root], { proposal_id, kind: "CLAWBACK", amount: centavos(1) }))
    const adjustments = [
      yield* storeEntry([root], { proposal_id, kind: "ADJUSTMENT" }),
      yield* storeEntry([root], { proposal_id, kind: "ADJUSTMENT" })
    ]
    assert.sameDeepMembers(yield* listEntries(root), [first, clawback, ...adjustments])
  })

  it("`list` returns the entries that name the partner of the scope as a viewer, whatever the tree is now", function*() {
    const [root, left, right, child] = yield* storeForest([null, 0, 0, 1])
    const own = yield* storeEntry([left, root])
    const below = yield* storeEntry([child, left, root])
    const elsewhere = yield* storeEntry([child, right, root])
    assert.sameDeepMembers(yield* listEntries(left), [own, below])
    assert.sameDeepMembers(yield* listEntries(right), [elsewhere])
    assert.sameDeepMembers(yield* listEntries(child), [below, elsewhere])
    assert.sameDeepMembers(yield* listEntries(root), [own, below, elsewhere])
  })

  it("`list` returns the entries that match all filters, in order, and their number", function*() {
    const [root, left, child] = yield* storeForest([null, 0, 1])
    const first = yield* storeEntry([child, left, root], { ...at(1), amount: centavos(3), period: period("2026-02") })
    const second = yield* storeEntry([left, root], { ...at(2), amount: centavos(1), lender: "other" })
    const third = yield* storeEntry([root], { ...at(3), amount: centavos(2), kind: "CLAWBACK", status: "CLOSED" })
    assert.deepStrictEqual(yield* listEntries(root), [first, second, third])
    assert.deepStrictEqual(yield* listEntries(root, { sort: [{ property: "amount", direction: "desc" }] }), [
      first,
      third,
      second
    ])
    assert.deepStrictEqual(yield* listEntries(root, { filters: { period: period("2026-02") } }), [first])
    assert.deepStrictEqual(yield* listEntries(root, { filters: { kind: "CLAWBACK" } }), [third])
    assert.deepStrictEqual(yield* listEntries(root, { filters: { status: "CLOSED" } }), [third])
    assert.deepStrictEqual(yield* listEntries(root, { filters: { kind: "ACCRUAL", status: "CLOSED" } }), [])
    assert.deepStrictEqual(yield* listEntries(root, { filters: { lender: "other" } }), [second])
    assert.deepStrictEqual(yield* listEntries(root, { filters: { proposal_id: first.proposal_id as ProposalId } }), [
      first
    ])
    assert.deepStrictEqual(yield* listEntries(root, entriesOf(left, "self")), [second])
    assert.deepStrictEqual(yield* listEntries(root, entriesOf(left, "subtree")), [first, second])
    assert.deepStrictEqual(yield* listEntries(left, entriesOf(root, "subtree")), [])
    const { items, total } = yield* (yield* CommissionLedger).list(
      scopeOfPartner(root),
      entryQuery({ page: { number: 1, size: 2 } })
    )
    assert.deepStrictEqual([[...items], total], [[third], 3])
  })

  it("PAGE-39 `list` fails with ReadBudgetExceeded above its budget; a walk and `exportAll` return every entry", function*() {
    const ledger = yield* CommissionLedger
    const [root] = yield* storeForest([null])
    const stored = [yield* storeEntry([root]), yield* storeEntry([root]), yield* storeEntry([root])]
    const filters = { kind: "ACCRUAL" } as const
    const refused = yield* Effect.flip(ledger.list(scopeOfPartner(root), entryQuery({ filters }), 2))
    assert.strictEqual(refused._tag, "ReadBudgetExceeded")
    for (const property of ["occurred_at", "amount"] as const) {
      const sort = [{ property, direction: "desc" }] as const
      const walked = yield* readWalk(
        2,
        (after) => ledger.list(scopeOfPartner(root), entryQuery({ sort, page: { number: 0, size: 2 }, after }))
      )
      assert.sameDeepMembers([...walked], stored)
      const exported = yield* Stream.runCollect(ledger.exportAll(scopeOfPartner(root), { filters, sort }))
      assert.deepStrictEqual([...exported], [...walked])
    }
  })

  it("`findContract` returns a proposal of any tree with whether it is in scope, and none for an unknown id", function*() {
    const { findContract } = yield* CommissionLedger
    const [root, child, sibling, stranger] = yield* storeForest([null, 0, 0, null])
    const id = proposalIdOf(yield* storeContractedApplication(child))
    const find = (caller: PartnerDetail, id: ProposalId) =>
      Effect.map(findContract(scopeOfPartner(caller), id), recordOrRefusal)
    for (const caller of [root, child]) assert.strictEqual(yield* find(caller, id), id)
    for (const outsider of [sibling, stranger]) assert.strictEqual(yield* find(outsider, id), "OutsideHierarchy")
    assert.strictEqual(yield* find(root, (yield* freshId) as ProposalId), "NotFound")
  })

  it("`closedPeriods` returns the closed months of each partner from a month on", function*() {
    const { closedPeriods } = yield* CommissionLedger
    const [root, child] = yield* storeForest([null, 0])
    yield* close(root, child, "2026-01", "2026-03-01")
    yield* close(root, child, "2026-02", "2026-03-01")
    const months = yield* closedPeriods([root.partner_id, child.partner_id], period("2026-02"))
    assert.deepStrictEqual([...months.get(child.partner_id) ?? []], [period("2026-02")])
    assert.deepStrictEqual([...months.get(root.partner_id) ?? []], [])
  })

  it("entries roll back with the surrounding transaction", function*() {
    const [root] = yield* storeForest([null])
    yield* rollBack(storeEntry([root]))
    assert.deepStrictEqual(yield* listEntries(root), [])
  })

  it("PARTNER-04 `PartnerRepository.dependents` sums up the entries of a partner that are not PAID", function*() {
    const [root, child] = yield* storeForest([null, 0])
    yield* storeEntry([child, root], { amount: centavos(300) })
    yield* storeEntry([child, root], { amount: centavos(-100), kind: "CLAWBACK", status: "CLOSED" })
    yield* storeEntry([child, root], { amount: centavos(50), status: "PAID", payout_id: (yield* freshId) as PayoutId })
    const { dependents } = yield* PartnerRepository
    assert.strictEqual((yield* dependents(asOperator.inScope(child))).unpaid_commissions, 200)
    assert.strictEqual((yield* dependents(asOperator.inScope(root))).unpaid_commissions, 0)
  })
}
