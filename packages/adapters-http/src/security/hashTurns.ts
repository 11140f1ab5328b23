import { type Busy, makeTurns } from "@lastro/domain/ports"
import { Duration, Effect, Scope } from "effect"
import { availableParallelism } from "node:os"

/** Limits of the queue of hash computations. */
export interface HashQueueOptions {
  /** Maximum number of hashes that are computed at the same time. */
  readonly concurrent: number
  /** Maximum number of hashes of one client address that are waiting or being computed. */
  readonly perAddress: number
  /** Maximum number of waiting hashes of all addresses. */
  readonly waiting: number
  /** Maximum time that a hash waits in the queue. */
  readonly maxWait: Duration.Duration
}

/**
 * The default limits. On several cores, one core stays free of hashes, because one thread serves all requests. Node.js
 * computes hashes, token signatures and file operations in the same four threads, so at least one of them stays free,
 * too. Three concurrent hashes use 57 MiB at the default cost.
 */
export const defaultHashLimits: HashQueueOptions = {
  concurrent: Math.min(3, Math.max(1, availableParallelism() - 1)),
  perAddress: 64,
  waiting: 256,
  maxWait: Duration.seconds(10)
}

/**
 * Runs an effect when its turn in the queue comes. Fails with Busy if the queue is full, or if the turn does not come
 * in time.
 */
export type WithHashTurn = <A, E, R>(address: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>

/** Makes a queue of hash computations. The domain defines its rules (AUTH-15, AUTH-16). */
export const makeHashTurns = ({ concurrent, maxWait, perAddress, waiting }: HashQueueOptions): WithHashTurn => {
  const take = makeTurns({ concurrent, perKey: perAddress, waiting }, maxWait)
  // A hash computation cannot be stopped, so an interrupted request keeps its turn until the hash is computed.
  return (address, effect) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (turn) => Effect.andThen(Scope.provide(take({ key: address }), turn), Effect.uninterruptible(effect)),
      (turn, exit) => Scope.close(turn, exit)
    )
}
