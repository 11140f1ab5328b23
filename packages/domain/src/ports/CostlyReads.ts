// `catchIf` does not remove the handled error from a generic type.
// @effect-diagnostics unsafeEffectTypeAssertion:off
import { Context, Duration, Effect, Exit, Scope } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { makeTurns, type TakeTurn, type TurnOwner, turnRefused } from "./FairQueue.ts"
import { type Busy } from "./UnitOfWork.ts"

/** A list read is costly if it examines more records than this number. Default: 8 000. */
export const CostlyAbove = Context.Reference<number>("@lastro/domain/paging/CostlyAbove", {
  defaultValue: () => 8_000
})

/**
 * A list read would examine more records than its budget. A repository fails with this error as early as possible. A
 * skipped index entry counts as a fraction of a record. A list whose scope has at most as many records as the budget
 * never fails with it.
 */
export class ReadBudgetExceeded
  extends Refusal("ReadBudgetExceeded", "The read would examine more records than its budget. Narrow its filters.")
{}

/**
 * A read is costly if it examines more than 8 000 records. Runs a read with this number as its budget. Fails with
 * ReadBudgetExceeded if the read is costly.
 * @rule PAGE-26
 */
export const withinBudget = <A, E, R>(read: (budget: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CostlyAbove, read)

/** Limits on costly reads ({@link CostlyAbove}). */
export interface CostlyLimits {
  /** Maximum number of costly reads at the same time. It should be a small share of the database connections. */
  readonly concurrent: number
  /** Maximum number of costly reads of one root partner at the same time. Less than `concurrent`. */
  readonly concurrentPerRoot: number
  /** Maximum number of costly reads of one caller, running or waiting. */
  readonly perCaller: number
  /** Maximum time that a costly read waits for its turn. */
  readonly maxWait: Duration.Duration
  /** Maximum time that a costly read runs. */
  readonly maxRun: Duration.Duration
}

/** The default limits. With them, a costly read ends within 10 s, before its request times out. */
export const defaultCostlyLimits: CostlyLimits = {
  concurrent: 2,
  concurrentPerRoot: 1,
  perCaller: 16,
  maxWait: Duration.seconds(5),
  maxRun: Duration.seconds(5)
}

/** Lets costly reads run in turns, so that most of the database stays free for other calls. */
export interface CostlyTurns {
  /** Waits for a turn, which lasts until the scope closes. Fails with Busy if the caller gets none. */
  readonly take: TakeTurn
  readonly maxRun: Duration.Duration
}

/**
 * Costly reads take turns. The callers of a root partner together run at most one at a time, and all callers of a
 * process at most two. Root partners take turns, and the callers of a root take turns within its turns. The next read
 * is the oldest one of the caller whose latest turn is longest ago. A read is refused with Busy if its caller has 16
 * unfinished costly reads, or after a wait of 5 s.
 * @rule PAGE-27
 */
export const makeCostlyTurns = (
  { concurrent, concurrentPerRoot, maxRun, maxWait, perCaller }: CostlyLimits
): CostlyTurns => ({
  maxRun,
  take: makeTurns({ concurrent, concurrentPerRoot, perKey: perCaller, waiting: Number.POSITIVE_INFINITY }, maxWait)
})

/**
 * The queue of costly reads. Default: one queue for the process, with the default limits. A process with several
 * installations should provide one queue for each.
 */
export const CostlyReads = Context.Reference<CostlyTurns>("@lastro/domain/ports/CostlyReads", {
  defaultValue: () => makeCostlyTurns(defaultCostlyLimits)
})

/** Wraps the wait for a turn, for example to release resources while it waits. */
export type WhileWaiting = (wait: Effect.Effect<void, Busy>) => Effect.Effect<void, Busy>

/**
 * The caller of a costly read gets a result or Busy within 5 s after its turn has begun. Waits for the turn, then runs
 * the read.
 * @rule PAGE-28
 */
export const readInTurn = <A, E, R>(
  caller: TurnOwner,
  read: Effect.Effect<A, E, R>,
  whileWaiting: WhileWaiting = (wait) => wait
): Effect.Effect<A, E | Busy, R> =>
  Effect.flatMap(CostlyReads, ({ maxRun, take }) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (turn) =>
        Effect.andThen(
          whileWaiting(Scope.provide(take(caller), turn)),
          Effect.timeoutOrElse(read, { duration: maxRun, orElse: () => Effect.fail(turnRefused) })
        ),
      (turn, exit) => Scope.close(turn, exit)
    ))

/**
 * Runs `first`. If it fails with ReadBudgetExceeded, runs `again` in a turn of the caller ({@link readInTurn}): the
 * same read without a budget. The key of `caller` is its `callerKey`.
 */
export const rereadInTurn = <A, E, R>(
  caller: TurnOwner,
  first: Effect.Effect<A, E, R>,
  again: () => Effect.Effect<A, E, R>,
  whileWaiting?: WhileWaiting
): Effect.Effect<A, Exclude<E, ReadBudgetExceeded> | Busy, R> =>
  // A read that has already succeeded needs no handler.
  (Exit.isExit(first) && Exit.isSuccess(first) ? first : Effect.catchIf(
    first,
    (error) => error instanceof ReadBudgetExceeded,
    () => Effect.suspend(() => readInTurn(caller, again(), whileWaiting))
  )) as Effect.Effect<A, Exclude<E, ReadBudgetExceeded> | Busy, R>

/** Runs a list read. A costly read is ended early, and runs again without a budget in a turn of the caller. */
export const readList = <A, E, R>(caller: TurnOwner, read: (budget: number) => Effect.Effect<A, E, R>) =>
  rereadInTurn(caller, withinBudget(read), () => read(Number.POSITIVE_INFINITY))
