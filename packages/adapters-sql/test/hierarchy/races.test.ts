import { assert, it } from "@effect/vitest"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { type Timestamp } from "@lastro/domain/values"
import { aPartner, storeForest, storeUser } from "@lastro/testkit"
import { Effect, Fiber, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { rounds } from "../../../../test/rounds.ts"
import { checkHierarchy, foldCounts } from "../../src/index.ts"
import { makeBarrier } from "../coordination.ts"
import { postgres } from "../databases.ts"
import { movePartner } from "./movePartner.ts"

const later = "2026-02-01T00:00:00.000Z" as Timestamp
const firstPage = {
  filters: {},
  page: { number: 0, size: 1 },
  sort: [{ property: "created_at", direction: "desc" }]
} as const

/** Inserts a partner below another as the use case does. Returns false if the parent is deleted. */
const addChild = Effect.fnUntraced(
  function*(root: PartnerDetail, parent: PartnerDetail, ready: Effect.Effect<unknown>) {
    const tree = yield* PartnerTree
    const child = yield* aPartner({ parent_id: parent.partner_id })
    return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* ready
      yield* tree.lock(root.partner_id, "shared")
      const found = judgeFound(yield* tree.find(asOperator.scope(root.partner_id), parent.partner_id))
      if (Result.isFailure(found)) return false
      yield* (yield* PartnerRepository).insert(found.success, child)
      return true
    }))
  }
)

/** Deletes a partner as the use case does. Returns false if it has children or users. */
const deletePartner = Effect.fnUntraced(
  function*(root: PartnerDetail, partner: PartnerDetail, ready: Effect.Effect<unknown>) {
    const partners = yield* PartnerRepository
    return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* ready
      yield* (yield* PartnerTree).lock(root.partner_id, "exclusive")
      const found = yield* partners.findForUpdate(asOperator.scope(root.partner_id), partner.partner_id)
      const judged = yield* Effect.orDie(Effect.fromResult(judgeFound(found)))
      const { children, users } = yield* partners.dependents(judged)
      if (children + users > 0) return false
      yield* partners.remove(judged, later)
      return true
    }))
  }
)

it.layer(postgres({ lockTimeout: "20 seconds", maxConnections: 20 }), {
  excludeTestServices: true,
  timeout: "1 minute"
})("concurrent changes of a tree in PostgreSQL", (it) => {
  it.effect("T11 one of two moves that would form a cycle is refused, and the index is correct", () =>
    Effect.gen(function*() {
      for (let round = 0; round < rounds; round++) {
        const [, one, other, below] = yield* storeForest([null, 0, 0, 2])
        const ready = yield* makeBarrier(2)
        const done = yield* Effect.all([movePartner(one, below, ready), movePartner(other, one, ready)], {
          concurrency: 2
        })
        assert.sameMembers(done, [true, false])
      }
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }))

  it.effect("T11 many concurrent moves in one tree lose no partner, and the index and the counts are correct", () =>
    Effect.gen(function*() {
      for (let round = 0; round < rounds; round++) {
        const partners: ReadonlyArray<PartnerDetail> = yield* storeForest([null, 0, 0, 1, 1, 2, 3, 4, 5, 6])
        yield* storeUser(partners[9] as PartnerDetail)
        const ready = yield* makeBarrier(10)
        const at = (index: number) => partners[1 + (index * 7 + round) % 9] as PartnerDetail
        const moves = Array.from(
          { length: 8 },
          (_, index) => Effect.exit(movePartner(at(index), at(index + 3 + round), ready))
        )
        const folds = Array.from({ length: 2 }, () => Effect.andThen(ready, foldCounts))
        yield* Effect.all([...moves, ...folds], { concurrency: "unbounded", discard: true })
        const { total } = yield* (yield* PartnerRepository).list(
          asOperator.scope((partners[0] as PartnerDetail).partner_id),
          firstPage
        )
        assert.strictEqual(total, 10)
      }
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }))

  it.effect("T15 a partner is either deleted or gets a child, never both", () =>
    Effect.gen(function*() {
      for (let round = 0; round < rounds; round++) {
        const [root, parent] = yield* storeForest([null, 0])
        const ready = yield* makeBarrier(2)
        const [added, removed] = yield* Effect.all(
          [addChild(root, parent, ready), deletePartner(root, parent, ready)],
          {
            concurrency: 2
          }
        )
        assert.notStrictEqual(added, removed)
      }
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }))

  it.effect("counts are exact in every snapshot during concurrent writes and folds", () =>
    Effect.gen(function*() {
      const users = yield* UserRepository
      const sql = yield* SqlClient.SqlClient
      const partners: ReadonlyArray<PartnerDetail> = yield* storeForest([null, 0, 1, 1, 2])
      const root = partners[0] as PartnerDetail
      const scope = asOperator.scope(root.partner_id)
      const wrong: Array<number> = []
      const folder = yield* Effect.forkChild(Effect.forever(Effect.andThen(foldCounts, Effect.sleep("2 millis"))))
      const reader = yield* Effect.forkChild(Effect.forever(sql.withTransaction(Effect.gen(function*() {
        yield* sql`set transaction isolation level repeatable read`
        const { total } = yield* users.list(scope, firstPage)
        const [real] = yield* sql<{ readonly users: number }>`
          select count(*)::int as users from app_user where root_id = ${root.partner_id} and deleted_at is null`
        if (real?.users !== total) wrong.push(total)
      }))))
      const write = (index: number) =>
        Effect.gen(function*() {
          const user = yield* storeUser(partners[index % 5] as PartnerDetail)
          if (index % 3 === 0) yield* users.remove(asOperator.inScope({ ...user, partners: [] }), later)
        })
      yield* Effect.forEach(Array.from({ length: 15 * rounds }, (_, index) => index), write, { concurrency: 12 })
      yield* Fiber.interrupt(reader)
      yield* Fiber.interrupt(folder)
      assert.deepStrictEqual(wrong, [])
      assert.strictEqual((yield* users.list(scope, firstPage)).total, 10 * rounds)
      assert.deepStrictEqual(yield* checkHierarchy, [])
    }))

  it.effect("a deadlock fails one transaction with Busy and the other succeeds", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const partners = yield* PartnerRepository
      const [one, other] = yield* storeForest([null, null])
      const ready = yield* makeBarrier(2)
      const lockPartner = ({ partner_id }: PartnerDetail) =>
        partners.findForUpdate(asOperator.scope(partner_id), partner_id)
      const lockBoth = (first: PartnerDetail, second: PartnerDetail) =>
        Effect.result(unit.atomically(Effect.andThen(Effect.andThen(lockPartner(first), ready), lockPartner(second))))
      const results = yield* Effect.all([lockBoth(one, other), lockBoth(other, one)], { concurrency: 2 })
      assert.sameMembers(
        results.map((result) => Result.isFailure(result) ? result.failure._tag : Option.isSome(result.success)),
        ["Busy", true]
      )
    }))
})
