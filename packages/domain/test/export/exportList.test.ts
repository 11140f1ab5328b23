import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { exportList, type ExportName, exports, inTurn } from "../../src/export/exportList.ts"
import { defaultExportLimits, Exports, judgeExports, makeExportSlots } from "../../src/export/ExportSlots.ts"
import { operations } from "../../src/operation/operations.ts"
import { CostlyReads } from "../../src/ports/CostlyReads.ts"
import { turnRefused } from "../../src/ports/FairQueue.ts"
import { UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { callerOf, expectRefusal, outcomeOf, runInMemory, storeMember, storeTwoTrees } from "../fixtures.ts"

const withSlots = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Exports, makeExportSlots(defaultExportLimits))

describe("exportList", () => {
  it("AUTH-12 an export requires the permission of its list", () => {
    for (const [name, { permission }] of Object.entries(exports)) {
      assert.strictEqual(permission, operations[name as ExportName].permission, name)
    }
  })

  it.effect("streams every record of the list in its order, and ignores the page", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      for (let index = 0; index < 130; index++) yield* storeMember(a, "viewer", { email: `u${index}@example.com` })
      const caller = yield* callerOf(aAdmin)
      const records = yield* exportList("listUsers", caller, {
        sort: "email,desc",
        group: "viewer",
        page: "3",
        size: "1"
      })
      const emails = (yield* Stream.runCollect(records)).map((record) => String(Object(record).email))
      assert.lengthOf(emails, 130)
      assert.deepStrictEqual(emails, emails.toSorted().toReversed())
    }))))

  it.effect("judges the permission before the query, and reports every problem of the query", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      yield* expectRefusal(exportList("listUsers", yield* callerOf(aAdmin, []), { status: "x" }), "PermissionDenied")
      assert.strictEqual(
        yield* outcomeOf(exportList("listUsers", yield* callerOf(aAdmin), { status: "x", shoe: "1" })),
        "query.shoe UNKNOWN_FIELD, query.status UNKNOWN_VALUE"
      )
      const masked = yield* callerOf(aAdmin, ["fgts:read"])
      yield* expectRefusal(exportList("listApplications", masked, { cpf: "11144477735" }), "PermissionDenied")
    }))))

  it.effect("dies in a transaction of a host", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const caller = yield* callerOf((yield* storeTwoTrees).aAdmin)
      const exit = yield* Effect.exit((yield* UnitOfWork).atomically(exportList("listUsers", caller, {})))
      assert.include(String(exit), "WaitInTransaction")
    }))))

  it.effect("PAGE-34 refuses a third export of a root while two run, and lets it run when one has ended", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const { aAdmin, rootAdmin, strangerAdmin } = yield* storeTwoTrees
      const [caller, above, stranger] = [
        yield* callerOf(aAdmin),
        yield* callerOf(rootAdmin),
        yield* callerOf(strangerAdmin)
      ]
      const hold = Effect.fnUntraced(function*(one: typeof caller) {
        const [started, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const records = yield* exportList("listUsers", one, {})
        const pause = () => Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(released))
        const fiber = yield* Effect.forkChild(Stream.runForEach(records, pause))
        yield* Deferred.await(started)
        return Effect.andThen(Deferred.succeed(released, undefined), Fiber.join(fiber))
      })
      const release = yield* hold(caller)
      const releaseAbove = yield* hold(above)
      yield* expectRefusal(exportList("listPartners", caller, {}), "TooManyExports")
      const releaseStranger = yield* hold(stranger)
      yield* release
      assert.strictEqual(yield* outcomeOf(exportList("listPartners", caller, {})), "done")
      yield* releaseAbove
      yield* releaseStranger
    }))))

  it.effect("an export whose client reads nothing for a minute frees its slot, and fails at the next read", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const { root, rootAdmin } = yield* storeTwoTrees
      for (let index = 0; index < 150; index++) yield* storeMember(root, "viewer", { email: `u${index}@example.com` })
      const caller = yield* callerOf(rootAdmin)
      const { judge } = yield* Exports
      const isFree = () => Result.isSuccess(judge(caller.root_id))
      const records = yield* exportList("listUsers", caller, {})
      const paused = Stream.runForEach(records, () => Effect.sleep("2 minutes"))
      const [one, other] = [yield* Effect.forkChild(Effect.exit(paused)), yield* Effect.forkChild(Effect.exit(paused))]
      yield* TestClock.adjust("59 seconds")
      assert.isFalse(isFree())
      yield* TestClock.adjust("1 second")
      assert.isTrue(isFree())
      yield* TestClock.adjust("6 hours")
      for (const fiber of [one, other]) assert.include(String(yield* Fiber.join(fiber)), "took too long")
    }))))

  it.effect("PAGE-35 each batch takes a costly turn, and an export that waits for its client takes none", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const { root, rootAdmin } = yield* storeTwoTrees
      for (let index = 0; index < 250; index++) yield* storeMember(root, "viewer", { email: `u${index}@example.com` })
      const caller = yield* callerOf(rootAdmin)
      const turns = { taken: 0, running: 0 }
      const take = () =>
        Effect.asVoid(Effect.acquireRelease(
          Effect.sync(() => {
            turns.taken++
            turns.running++
          }),
          () => Effect.sync(() => turns.running--)
        ))
      const records = Stream.chunks(yield* exportList("listUsers", caller, {}))
      const running: Array<number> = []
      yield* Stream.runForEach(records, () => Effect.sync(() => running.push(turns.running))).pipe(
        Effect.provideService(CostlyReads, { take, maxRun: Duration.seconds(5) })
      )
      assert.isAtLeast(turns.taken, 2)
      assert.deepStrictEqual(new Set(running), new Set([0]))
    }))))

  it.effect("PAGE-35 a batch that gets no turn asks again, and the export goes on", () =>
    withSlots(runInMemory(Effect.gen(function*() {
      const caller = yield* callerOf((yield* storeTwoTrees).rootAdmin)
      let refusals = 3
      const take = () => Effect.suspend(() => refusals-- > 0 ? Effect.fail(turnRefused) : Effect.void)
      const records = yield* exportList("listUsers", caller, {})
      const fiber = yield* Stream.runCollect(records).pipe(
        Effect.provideService(CostlyReads, { take, maxRun: Duration.seconds(5) }),
        Effect.forkChild
      )
      yield* TestClock.adjust("600 millis")
      assert.lengthOf(yield* Fiber.join(fiber), 2)
    }))))

  it.effect("PAGE-35 the turn of a batch lasts as long as its read, also if the read fails", () =>
    Effect.gen(function*() {
      const steps: Array<string> = []
      const step = (name: string) =>
        Effect.sync(() => {
          steps.push(name)
        })
      const take = () => Effect.acquireRelease(step("taken"), () => step("given back"))
      const owner = { root: "root", key: "user:1" }
      yield* inTurn(take, owner, step("read"))
      yield* Effect.exit(inTurn(take, owner, Effect.andThen(step("read"), Effect.fail("lost"))))
      assert.deepStrictEqual(steps, ["taken", "read", "given back", "taken", "read", "given back"])
    }))

  it("PAGE-34 at most four exports run, and at most two of a root", () => {
    const root = fc.constantFrom("a", "b", "c")
    fc.assert(fc.property(fc.array(root, { maxLength: 8 }), (wanted) => {
      const running: Array<string> = []
      for (const one of wanted) {
        const isFree = running.length < 4 && running.filter((other) => other === one).length < 2
        assert.strictEqual(Result.isSuccess(judgeExports(running, one, defaultExportLimits)), isFree)
        if (isFree) running.push(one)
      }
    }))
  })
})
