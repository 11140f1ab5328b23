import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { DocumentTaken, PartnerRepository } from "@lastro/domain/partner"
import { Busy, IdGenerator, UnitOfWork } from "@lastro/domain/ports"
import {
  aPartner,
  Faults,
  faulty,
  InjectedFault,
  layerFaults,
  layerMemory,
  MemoryDatabase,
  storeRootPartner,
  TestMistake
} from "@lastro/testkit"
import { Cause, Context, Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"

const overFaults = Effect.provide(faulty(layerMemory).pipe(Layer.provideMerge(layerFaults)), { local: true })

/** Runs an effect and returns its defect or error; undefined on success. */
const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const insertRoot = Effect.gen(function*() {
  const partner = yield* aPartner()
  yield* (yield* PartnerRepository).insertRoot(asOperator.inScope(partner))
  return partner
})

const committed = Effect.flatMap(MemoryDatabase, ({ state }) => Effect.map(state, ({ partners }) => partners.size))

describe("faulty", () => {
  it.effect("changes nothing until a fault is set, and records every call", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const partner = yield* storeRootPartner()
      const id = yield* (yield* IdGenerator).next
      assert.match(id, /^01900000-/)
      assert.deepStrictEqual(
        faults.calls().map(({ faults, method, port }) => [port, method, faults]),
        [["PartnerRepository", "insertRoot", []], ["IdGenerator", "next", []]]
      )
      assert.deepStrictEqual(faults.calls(PartnerRepository)[0]?.args, [asOperator.inScope(partner)])
      assert.lengthOf(faults.calls(PartnerRepository, "list"), 0)
      faults.forgetCalls()
      assert.lengthOf(faults.calls(), 0)
    }).pipe(overFaults))

  it.effect("a failed call does not run: the nth, a number of calls, or all until lifted", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const outcomes = Effect.map(
        Effect.all(Array.from({ length: 5 }, () => defectOf(insertRoot))),
        (all) => all.map((defect) => defect === undefined ? "done" : "failed").join(" ")
      )
      const second = faults.fail(PartnerRepository, "insertRoot", { nth: 2 })
      assert.strictEqual(yield* outcomes, "done failed done done done")
      assert.strictEqual(second.hits, 1)
      faults.fail(PartnerRepository, "insertRoot", { nth: 2, times: 2 })
      assert.strictEqual(yield* outcomes, "done failed failed done done")
      const all = faults.fail(PartnerRepository, "insertRoot", { times: Infinity })
      assert.strictEqual(yield* outcomes, "failed failed failed failed failed")
      all.lift()
      assert.strictEqual(yield* outcomes, "done done done done done")
      {
        using _ = faults.fail(PartnerRepository, "insertRoot", { times: Infinity })
        assert.strictEqual(yield* outcomes, "failed failed failed failed failed")
      }
      faults.fail(PartnerRepository, "insertRoot", { nth: 5 })
      faults.liftAll()
      assert.strictEqual(yield* outcomes, "done done done done done")
      assert.strictEqual(yield* committed, 4 + 3 + 5 + 5)
    }).pipe(overFaults))

  it.effect("fails with an InjectedFault, a defect, or an error of the port", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const unit = yield* UnitOfWork
      faults.fail(UnitOfWork, "atomically")
      const ours = yield* defectOf(unit.atomically(Effect.void))
      assert.instanceOf(ours, InjectedFault)
      assert.strictEqual(String(ours), "InjectedFault: Injected fault: UnitOfWork.atomically failed.")
      const away = new Error("the database is away")
      faults.fail(UnitOfWork, "atomically", { defect: away })
      assert.strictEqual(yield* defectOf(unit.atomically(Effect.void)), away)
      const busy = new Busy({ retry_after_seconds: 3 })
      faults.fail(UnitOfWork, "atomically", { error: busy })
      assert.strictEqual(yield* Effect.flip(unit.atomically(Effect.void)), busy)
    }).pipe(overFaults))

  it.effect("a call that loses its answer ran; an outermost transaction has committed, a nested one rolls back", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const unit = yield* UnitOfWork
      faults.loseAnswer(UnitOfWork, "atomically")
      const lost = yield* defectOf(unit.atomically(insertRoot))
      assert.deepInclude(lost, { port: "UnitOfWork", method: "atomically", done: true })
      assert.strictEqual(yield* committed, 1)
      faults.loseAnswer(UnitOfWork, "atomically", { nth: 2 })
      const inner = unit.atomically(insertRoot)
      assert.instanceOf(yield* defectOf(unit.atomically(inner)), InjectedFault)
      assert.strictEqual(
        yield* committed,
        1,
        "the nested transaction lost its answer, so the outer transaction rolled back"
      )
    }).pipe(overFaults))

  it.effect("a call is delayed by Effect's clock and may fail afterwards", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      faults.delay(PartnerRepository, "insertRoot", "2 seconds")
      faults.fail(PartnerRepository, "insertRoot", { nth: 1 })
      const fiber = yield* Effect.forkChild(defectOf(insertRoot), { startImmediately: true })
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.instanceOf(yield* Fiber.join(fiber), InjectedFault)
      assert.deepStrictEqual(faults.calls().map(({ faults }) => faults), [["delayed", "failed"]])
    }).pipe(overFaults))

  it.effect("faults reach ports built over faulty ones; no port is wrapped twice", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      yield* (yield* IdGenerator).next
      assert.lengthOf(faults.calls(IdGenerator), 1)
    }).pipe(Effect.provide(faulty(faulty(layerMemory)).pipe(Layer.provideMerge(layerFaults)), { local: true })))

  it.effect("wraps any service, also class instances, and leaves members without effects unchanged", () => {
    class Counting {
      readonly #by = 2
      count = 0
      readonly next = Effect.sync(() => this.#add(1))
      add(by: number) {
        return Effect.sync(() => this.#add(by))
      }
      get twice() {
        return Effect.sync(() => this.#by * this.count)
      }
      #add(by: number) {
        this.count += by
        return this.count
      }
    }
    class Grown extends Counting {
      label(what: string) {
        return `${what}: ${this.count}`
      }
    }
    class Counter extends Context.Service<Counter, Grown>()("test/Counter") {}
    class Shop extends Context.Service<Shop, {
      readonly name: string
      readonly price: (what: string) => Effect.Effect<Option.Option<number>>
      readonly label: (what: string) => string
    }>()("test/Shop") {}
    const shop = Shop.of({
      name: "corner",
      price: (what) => Effect.succeed(what === "tea" ? Option.some(3) : Option.none()),
      label: (what) => `a ${what}`
    })
    const ports = Layer.merge(Layer.succeed(Shop, Object.freeze(shop)), Layer.sync(Counter, () => new Grown()))
    return Effect.gen(function*() {
      const faults = yield* Faults
      const { label, name, price } = yield* Shop
      assert.deepStrictEqual([name, label("tea"), yield* price("tea")], ["corner", "a tea", Option.some(3)])
      faults.fail(Shop, "price")
      assert.instanceOf(yield* defectOf(price("tea")), InjectedFault)
      const counter = yield* Counter
      assert.instanceOf(counter, Grown)
      assert.deepStrictEqual([yield* counter.add(2), yield* counter.next, yield* counter.twice], [2, 3, 6])
      assert.deepStrictEqual([counter.count, counter.label("so far")], [3, "so far: 3"])
      counter.count = 10
      assert.strictEqual(yield* counter.next, 11)
      for (const method of ["add", "next", "twice"] as const) {
        const fault = faults.fail(Counter, method)
        assert.instanceOf(yield* defectOf(method === "add" ? counter.add(1) : counter[method]), InjectedFault)
        assert.strictEqual(fault.hits, 1)
      }
      assert.strictEqual(counter.count, 11)
    }).pipe(Effect.provide(faulty(ports).pipe(Layer.provideMerge(layerFaults)), { local: true }))
  })

  it.effect("rejects a fault that can never hit", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      // @ts-expect-error the port has no such method
      assert.throws(() => faults.fail(PartnerRepository, "price"), TestMistake, /has no method price\./)
      // @ts-expect-error a member without an effect has no faults
      assert.throws(() => faults.delay(MemoryDatabase, "nothing", 1), TestMistake, /is not a port of a faulty layer/)
      assert.throws(() => faults.loseAnswer(PartnerRepository, "list", { nth: 0 }), TestMistake, /at least 1/)
      assert.throws(() => faults.fail(PartnerRepository, "list", { times: 0 }), TestMistake, /at least 1/)
      assert.throws(() => faults.fail(PartnerRepository, "list", { nth: Number.NaN }), TestMistake, /at least 1/)
      yield* defectOf(insertRoot)
      assert.lengthOf(faults.calls(), 1)
    }).pipe(overFaults))

  it.effect("accepts only errors of the method", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      faults.fail(PartnerRepository, "insert", { error: new DocumentTaken() })
      // The compiler must refuse the next line.
      // @effect-diagnostics missingEffectError:off
      // @ts-expect-error the method has another error type
      faults.fail(PartnerRepository, "insert", { error: new Busy({ retry_after_seconds: 1 }) })
      // @effect-diagnostics missingEffectError:error
      // @ts-expect-error the method never fails
      faults.fail(PartnerRepository, "find", { error: new Busy({ retry_after_seconds: 1 }) })
      // @ts-expect-error the effect never fails
      faults.fail(IdGenerator, "next", { error: new DocumentTaken() })
      const root = yield* storeRootPartner()
      const { insert } = yield* PartnerRepository
      const inserted = insert(asOperator.inScope(root.partner_id), yield* aPartner())
      assert.instanceOf(yield* Effect.flip(inserted), DocumentTaken)
    }).pipe(overFaults))

  it.effect("returned calls do not change later", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const { next } = yield* IdGenerator
      yield* next
      const before = faults.calls()
      yield* next
      assert.deepStrictEqual([before.length, faults.calls().length], [1, 2])
    }).pipe(overFaults))
})
