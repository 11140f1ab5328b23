import { authorize } from "@lastro/domain/access"
import { asOperator } from "@lastro/domain/hierarchy"
import { createPartner, type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { aCaller } from "../../builders/aCaller.ts"
import { exampleInstant } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { openLoanFixture, type OriginationStorage } from "../../scenarios/LoanFixture.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, scopeOfPartner } from "../suite/queries.ts"
import { atomically, holdOpen, inParallel, rollBack, runBehind } from "../suite/transactions.ts"

type Mode = "shared" | "exclusive"

/** Locks a tree, and returns when the lock is held. `lock` can return earlier, but `find` waits for the lock. */
const holdTree = Effect.fnUntraced(function*(root: PartnerId, mode: Mode) {
  const tree = yield* PartnerTree
  yield* tree.lock(root, mode)
  yield* tree.find(asOperator.scope(root), root)
})

/** Locks a tree in a transaction of another fiber, which holds the lock until `release` runs. */
const forkHolder = (root: { readonly partner_id: PartnerId }, mode: Mode) => holdOpen(holdTree(root.partner_id, mode))

/** Contract cases for PartnerTree: locks. */
export const treeLockCases: ContractCases<PartnerRepository | PartnerTree | UnitOfWork> = (it, { units }) => {
  it("`lock` in exclusive mode blocks every other `lock` on the tree until its transaction ends", function*() {
    const root = yield* storeRootPartner()
    const order: Array<string> = []
    const next = (mode: Mode) => atomically(Effect.map(holdTree(root.partner_id, mode), () => order.push("next")))
    const holder = yield* holdOpen(holdTree(root.partner_id, "exclusive"), Effect.sync(() => order.push("first")))
    yield* runBehind(holder, inParallel([next("shared"), next("exclusive")]))
    assert.deepStrictEqual(order, ["first", "next", "next"])
  })

  it("a lock is released when its transaction commits or rolls back", function*() {
    const tree = yield* PartnerTree
    const root = yield* storeRootPartner()
    const hold = tree.lock(root.partner_id, "exclusive")
    yield* atomically(hold)
    yield* rollBack(hold)
    yield* atomically(hold)
  })

  it("`lock` is reentrant within a transaction", function*() {
    const tree = yield* PartnerTree
    const root = yield* storeRootPartner()
    yield* atomically(Effect.gen(function*() {
      yield* tree.lock(root.partner_id, "exclusive")
      yield* tree.lock(root.partner_id, "shared")
      yield* tree.lock(root.partner_id, "exclusive")
    }))
  })

  if (units === "serialised") return

  it("shared locks on a tree do not block each other", function*() {
    const root = yield* storeRootPartner()
    const first = yield* forkHolder(root, "shared")
    const second = yield* forkHolder(root, "shared")
    yield* first.release
    yield* second.release
  })

  it("locks on different trees do not block each other", function*() {
    const [root, stranger] = yield* storeForest([null, null])
    const first = yield* forkHolder(root, "exclusive")
    const second = yield* forkHolder(stranger, "exclusive")
    yield* first.release
    yield* second.release
  })

  const conflicts: ReadonlyArray<readonly [Mode, Mode]> = [
    ["exclusive", "exclusive"],
    ["exclusive", "shared"],
    ["shared", "exclusive"]
  ]
  for (const [first, second] of conflicts) {
    it(`\`lock\` fails with Busy when the lock wait times out: ${second} lock, blocked by ${first} lock`, function*() {
      const tree = yield* PartnerTree
      const root = yield* storeRootPartner()
      const holder = yield* forkHolder(root, first)
      const busy = yield* Effect.flip(atomically(tree.lock(root.partner_id, second)))
      assert.strictEqual(busy._tag, "Busy")
      assert.isAtLeast(busy.retry_after_seconds, 1)
      yield* holder.release
      yield* atomically(tree.lock(root.partner_id, second))
    })
  }
}

const newPartner = (parent_uuid: PartnerId) => ({
  partner: {
    type: "pf",
    name: "Nova",
    email: "nova@example.com",
    phone: "11987654321",
    document_number: "52998224725",
    parent_uuid
  }
})

/** Contract cases for the creation of a partner while its tree changes. */
export const treeRaceCases: ContractCases<OriginationStorage> = (it) => {
  it("T10 a partner that is created below a moving partner waits for the move, and is then at the new place", function*() {
    const partners = yield* PartnerRepository
    const tree = yield* PartnerTree
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    const caller = yield* aCaller().at(root)
    const allowed = yield* Effect.fromResult(authorize(caller, "partners:write"))
    const fixture = yield* openLoanFixture(root, Date.parse(exampleInstant))
    const order: Array<string> = []
    const moving = yield* holdOpen(
      Effect.gen(function*() {
        yield* holdTree(root.partner_id, "exclusive")
        yield* tree.move(asOperator.inScope(moved), asOperator.inScope(right.partner_id))
      }),
      Effect.sync(() => order.push("moved"))
    )
    const creation = fixture.run(createPartner(allowed, newPartner(moved.partner_id)))
    const created = Effect.tap(creation, Effect.sync(() => order.push("created")))
    const { answer: { partner_id } } = yield* runBehind(moving, created)
    assert.deepStrictEqual(order, ["moved", "created"])
    const lists = (partner: PartnerDetail) =>
      Effect.map(partners.list(scopeOfPartner(partner), listQuery({})), ({ items, total }) => {
        assert.strictEqual(total, items.length)
        return items.some((item) => item.partner_id === partner_id)
      })
    assert.deepStrictEqual([yield* lists(root), yield* lists(left), yield* lists(right)], [true, false, true])
  })
}
