import {
  emptyHashQueue,
  type HashLimits,
  type HashTurn,
  joinHashQueue,
  leaveHashQueue,
  startNextHash
} from "@lastro/domain/identity"
import { Busy } from "@lastro/domain/ports"
import { Deferred, Duration, Effect, Option } from "effect"
import { availableParallelism } from "node:os"

/** Limits of the queue of hash computations. */
export interface HashQueueOptions extends HashLimits {
  /** Maximum time that a hash waits in the queue. */
  readonly maxWait: Duration.Duration
}

/**
 * The default limits. On several cores, one core stays free of hashes, because the requests of all callers share one
 * thread. Node.js computes hashes, token signatures and file operations in the same four threads. Therefore, at least
 * one of these threads stays free too. Three concurrent hashes use 57 MiB at the default cost.
 */
export const defaultHashLimits: HashQueueOptions = {
  concurrent: Math.min(3, Math.max(1, availableParallelism() - 1)),
  perAddress: 64,
  waiting: 256,
  maxWait: Duration.seconds(10)
}

/** Seconds in `Retry-After` when a hash is refused. */
const retrySeconds = 2

const busy = new Busy({ retry_after_seconds: retrySeconds })

/**
 * Runs an effect when its turn in the queue comes. Fails with Busy if the queue is full, or if the turn does not come
 * in time.
 */
export type WithHashTurn = <A, E, R>(address: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Busy, R>

/** Makes a queue of hash computations. The domain defines the rules of the queue. */
export const makeHashTurns = ({ maxWait, ...limits }: HashQueueOptions): WithHashTurn => {
  let queue = emptyHashQueue
  let lastId = 0
  const ready = new Map<number, Deferred.Deferred<void, Busy>>()

  const answer = ({ id }: HashTurn, result: Effect.Effect<void, Busy>) => {
    const deferred = ready.get(id)
    ready.delete(id)
    if (deferred !== undefined) Deferred.doneUnsafe(deferred, result)
  }

  const startReady = () => {
    for (
      let next = startNextHash(queue, limits);
      Option.isSome(next);
      next = startNextHash(queue, limits)
    ) {
      queue = next.value.queue
      answer(next.value.turn, Effect.void)
    }
  }

  const join = (turn: HashTurn, deferred: Deferred.Deferred<void, Busy>) => {
    const joined = joinHashQueue(queue, turn, limits)
    queue = joined.queue
    ready.set(turn.id, deferred)
    if (Option.isSome(joined.refused)) answer(joined.refused.value, Effect.fail(busy))
    startReady()
  }

  const leave = (turn: HashTurn) => {
    queue = leaveHashQueue(queue, turn)
    ready.delete(turn.id)
    startReady()
  }

  return (address, effect) =>
    Effect.suspend(() => {
      const turn: HashTurn = { id: ++lastId, address }
      const deferred = Deferred.makeUnsafe<void, Busy>()
      const wait = Effect.timeoutOrElse(
        Effect.andThen(Effect.sync(() => join(turn, deferred)), Deferred.await(deferred)),
        { duration: maxWait, orElse: () => Effect.fail(busy) }
      )
      // A hash computation cannot be stopped. An interrupted request therefore keeps its turn until the hash is
      // computed.
      return Effect.ensuring(
        Effect.andThen(wait, Effect.uninterruptible(effect)),
        Effect.sync(() => leave(turn))
      )
    })
}
