import { type FailedLogin } from "@lastro/domain/identity"
import { Installation } from "@lastro/domain/operator"
import { UnitOfWork } from "@lastro/domain/ports"
import { Context, Deferred, Effect, Fiber, type Latch, Layer, Ref, Result, type Scope, Semaphore } from "effect"
import { emptyState, type MemoryState } from "./MemoryState.ts"

/** A unit of work that stays open between two calls. */
export interface OpenUnit {
  /** Runs an effect in the unit of work, as a nested unit of its own. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Ends the unit of work: commits it, or discards its changes. */
  readonly end: (isCommitted: boolean) => Effect.Effect<void>
}

/**
 * Stores the state of all in-memory fakes. Units of work run one at a time. Each changes a copy of the state. On
 * success, the copy replaces the state. On failure, the copy is discarded.
 */
export class MemoryDatabase extends Context.Service<MemoryDatabase, {
  /** The current state. Inside a unit of work, it includes the uncommitted changes of that unit. */
  readonly state: Effect.Effect<MemoryState>
  /** Replaces the state when no other unit of work is running. If the function fails, the state is unchanged. */
  readonly change: <E = never>(
    f: (state: MemoryState) => Result.Result<MemoryState, E>
  ) => Effect.Effect<void, E>
  /** Like `change`, for a function that cannot fail. */
  readonly update: (f: (state: MemoryState) => MemoryState) => Effect.Effect<void>
  /** Runs an effect as one unit of work: either all of its changes commit, or none. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Begins a unit of work that stays open until `end`. Other units of work and changes wait for its end. */
  readonly begin: Effect.Effect<OpenUnit>
  /** True inside a unit of work. */
  readonly isOpen: Effect.Effect<boolean>
  /** Failed sign-ins, oldest first. They are stored outside the units of work, so a rollback keeps them. */
  readonly failedLogins: Ref.Ref<ReadonlyArray<FailedLogin>>
  /** Opens a latch after every commit, until the scope closes. */
  readonly opensOnCommit: (latch: Latch.Latch) => Effect.Effect<void, never, Scope.Scope>
}>()("@lastro/testkit/memory/MemoryDatabase") {}

/** The committed state, or the state of one running unit of work. */
class Level {
  state: MemoryState
  readonly lock = Semaphore.makeUnsafe(1)
  readonly isCommitted: boolean
  readonly latches = new Set<Latch.Latch>()
  constructor(state: MemoryState, isCommitted: boolean) {
    this.state = state
    this.isCommitted = isCommitted
  }
  /** Replaces the state, and opens the latches. A new committed state has no tree locks: its unit of work has ended. */
  settle(state: MemoryState): void {
    this.state = this.isCommitted ? { ...state, holds: emptyState.holds } : state
    for (const latch of this.latches) latch.openUnsafe()
  }
}

/**
 * The innermost running unit of work of this fiber, for each database. The key is the level of the committed state,
 * which identifies the database.
 */
const CurrentUnits = Context.Reference<ReadonlyMap<Level, Level>>(
  "@lastro/testkit/memory/MemoryDatabase/CurrentUnits",
  { defaultValue: () => new Map() }
)

const make = Effect.gen(function*() {
  const committed = new Level(emptyState, true)
  const current = Effect.map(CurrentUnits, (units) => units.get(committed) ?? committed)

  const change = <E>(f: (state: MemoryState) => Result.Result<MemoryState, E>) =>
    Effect.flatMap(current, (level) =>
      level.lock.withPermits(1)(
        Effect.map(Effect.suspend(() => Effect.fromResult(f(level.state))), (next) => level.settle(next))
      ))

  const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const units = yield* CurrentUnits
      const outer = units.get(committed) ?? committed
      const unit = Effect.suspend(() => {
        const inner = new Level(outer.state, false)
        const within = Effect.provideService(effect, CurrentUnits, new Map(units).set(committed, inner))
        return Effect.uninterruptibleMask((restore) =>
          Effect.tap(restore(within), () => Effect.sync(() => outer.settle(inner.state)))
        )
      })
      return yield* outer.lock.withPermits(1)(unit)
    })

  const begin = Effect.gen(function*() {
    const opened = yield* Deferred.make<ReadonlyMap<Level, Level>>()
    const ended = yield* Deferred.make<boolean>()
    const unit = atomically(Effect.gen(function*() {
      yield* Deferred.succeed(opened, yield* CurrentUnits)
      if (!(yield* Deferred.await(ended))) return yield* Effect.fail("rolled back" as const)
    }))
    const fiber = yield* Effect.forkDetach(Effect.ignore(unit))
    const units = yield* Deferred.await(opened)
    const open: OpenUnit = {
      run: (effect) => Effect.provideService(atomically(effect), CurrentUnits, units),
      end: (isCommitted) => Effect.andThen(Deferred.succeed(ended, isCommitted), Effect.asVoid(Fiber.await(fiber)))
    }
    return open
  })

  return MemoryDatabase.of({
    begin,
    state: Effect.map(current, (level) => level.state),
    change,
    update: (f) => change((now) => Result.succeed(f(now))),
    atomically,
    isOpen: Effect.map(CurrentUnits, (units) => units.has(committed)),
    failedLogins: yield* Ref.make<ReadonlyArray<FailedLogin>>([]),
    opensOnCommit: (latch) =>
      Effect.acquireRelease(
        Effect.sync(() => void committed.latches.add(latch)),
        () => Effect.sync(() => committed.latches.delete(latch))
      )
  })
})

/** An empty database. */
export const layer = Layer.effect(MemoryDatabase, make)

/** Runs units of work one at a time, so that none fails with `Busy`. */
export const layerUnitOfWork = Layer.effect(
  UnitOfWork,
  Effect.map(MemoryDatabase, ({ atomically, isOpen }) => UnitOfWork.of({ atomically, isOpen }))
)

/** In-memory `Installation`. */
export const layerInstallation = Layer.effect(
  Installation,
  Effect.map(MemoryDatabase, ({ change, state }) =>
    Installation.of({
      // An empty change, which waits for the running unit of work to end.
      isEmpty: Effect.andThen(change(Result.succeed), Effect.map(state, ({ partners }) => partners.size === 0))
    }))
)
