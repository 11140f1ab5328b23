import { type FailedLogin } from "@lastro/domain"
import { Context, Effect, type Latch, Layer, Ref, type Result, type Scope, Semaphore } from "effect"
import { emptyState, type MemoryState } from "./MemoryState.ts"

/**
 * The one place where the in-memory fakes keep their state. Units of work run one at a time; a unit works on a state of
 * its own that becomes the outer one's when it succeeds, and is forgotten otherwise. Who stands outside a unit never
 * sees what it has not committed.
 */
export class MemoryDatabase extends Context.Service<MemoryDatabase, {
  /** The state as whoever asks sees it: inside a unit with the unit's own changes. */
  readonly state: Effect.Effect<MemoryState>
  /** Replaces the state, after every unit in progress beside this one has ended; a failure changes nothing. */
  readonly change: <E = never>(
    f: (state: MemoryState) => Result.Result<MemoryState, E>
  ) => Effect.Effect<void, E>
  /** Runs an effect whose changes all happen or none of them. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Failed sign-ins, oldest first: they belong to no unit, so that they outlive one that is undone. */
  readonly failedLogins: Ref.Ref<ReadonlyArray<FailedLogin>>
  /** Has a latch opened whenever something was committed, until the scope is closed. */
  readonly opensOnCommit: (latch: Latch.Latch) => Effect.Effect<void, never, Scope.Scope>
}>()("@lastro/testkit/memory/MemoryDatabase") {}

/** The committed state, or that of a unit in progress. Whoever changes it waits for its `turn`. */
class Level {
  state: MemoryState
  readonly turn = Semaphore.makeUnsafe(1)
  readonly outermost: boolean
  readonly latches = new Set<Latch.Latch>()
  constructor(state: MemoryState, outermost: boolean) {
    this.state = state
    this.outermost = outermost
  }
  /** Nothing is held once no unit is in progress. */
  settle(state: MemoryState): void {
    this.state = this.outermost ? { ...state, holds: emptyState.holds } : state
    for (const latch of this.latches) latch.openUnsafe()
  }
}

/** The innermost unit this fiber works in, by its database's committed level: two databases do not meet. */
const CurrentUnits = Context.Reference<ReadonlyMap<Level, Level>>(
  "@lastro/testkit/memory/MemoryDatabase/CurrentUnits",
  { defaultValue: () => new Map() }
)

const make = Effect.gen(function*() {
  const committed = new Level(emptyState, true)
  const current = Effect.map(CurrentUnits, (units) => units.get(committed) ?? committed)

  const change = <E>(f: (state: MemoryState) => Result.Result<MemoryState, E>) =>
    Effect.flatMap(current, (level) =>
      level.turn.withPermits(1)(
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
      return yield* outer.turn.withPermits(1)(unit)
    })

  return MemoryDatabase.of({
    state: Effect.map(current, (level) => level.state),
    change,
    atomically,
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
