import { Deferred, type Duration, Effect, Option, type Scope } from "effect"
import { inTurns, type Tenancy, turnKeys } from "./turns.ts"
import { Busy } from "./UnitOfWork.ts"

/** The limits of a queue. */
export interface QueueLimits {
  /** Maximum number of entries that run at the same time. */
  readonly concurrent: number
  /** Maximum number of running entries of one root partner. Default: unlimited. */
  readonly concurrentPerRoot?: number
  /** Maximum number of entries of one key, running or waiting. */
  readonly perKey: number
  /** Maximum number of waiting entries of all keys. */
  readonly waiting: number
}

/** The owner of an entry of a queue. */
export interface TurnOwner {
  /** The key of the owner, for example a client address. Keys take turns. Empty if unknown. */
  readonly key: string
  /**
   * The id of the root partner. Roots take turns, and their keys take turns within them. Default: a root of its own for
   * each key.
   */
  readonly root?: string
}

/** An entry of a queue. */
export interface Entry extends TurnOwner {
  /** Entries with a lower id are older. */
  readonly id: number
}

/** The running and the waiting entries of a queue. */
export interface FairQueue {
  readonly running: ReadonlyArray<Entry>
  /** The waiting entries, the oldest first. */
  readonly waiting: ReadonlyArray<Entry>
  /** The keys and roots of started entries (`turnKeys`), in the order of their latest starts. */
  readonly served: ReadonlyArray<string>
}

/** A queue without entries. */
export const emptyQueue: FairQueue = { running: [], waiting: [], served: [] }

const tenancyOf = ({ key, root = key }: TurnOwner): Tenancy => ({ root, partner: key })

const countOf = (entries: ReadonlyArray<Entry>, key: string): number =>
  entries.filter((entry) => entry.key === key).length

/** Returns the newest waiting entry of the key with the most waiting entries. */
const newestOfLongest = ({ waiting }: FairQueue): Entry | undefined =>
  Array.from(Map.groupBy(waiting, ({ key }) => key).values())
    .reduce((longest, entries) => entries.length > longest.length ? entries : longest, [])
    .at(-1)

/**
 * A password hash is refused if its client address already has the maximum number of hashes, running or waiting. If the
 * queue is full, the newest hash of the address with the most waiting hashes is refused. The new hash counts, too: if
 * no other address has more, the new hash is refused. So one address never fills the whole queue. Calls without a
 * client address have no limit of their own.
 *
 * Other queues have the same rule for their entries and keys. Returns the new queue and the refused entry.
 * @rule AUTH-15
 */
export const joinQueue = (
  queue: FairQueue,
  entry: Entry,
  limits: QueueLimits
): { readonly queue: FairQueue; readonly refused: Option.Option<Entry> } => {
  const { running, waiting } = queue
  const waitingHere = countOf(waiting, entry.key)
  const isKeyFull = entry.key !== "" && waitingHere + countOf(running, entry.key) >= limits.perKey
  if (isKeyFull) return { queue, refused: Option.some(entry) }
  if (waiting.length < limits.waiting) {
    return { queue: { ...queue, waiting: [...waiting, entry] }, refused: Option.none() }
  }
  const newest = newestOfLongest(queue)
  if (newest === undefined || countOf(waiting, newest.key) <= waitingHere + 1) {
    return { queue, refused: Option.some(entry) }
  }
  const remaining = waiting.filter(({ id }) => id !== newest.id)
  return { queue: { ...queue, waiting: [...remaining, entry] }, refused: Option.some(newest) }
}

/**
 * Client addresses take turns: the next password hash is the oldest one of the address whose latest turn is longest
 * ago. An address without a turn comes first. The keys of other queues take turns in the same way, by root partner and
 * then by key (TURN-01). Returns none if no entry can start.
 * @rule AUTH-16
 */
export const startNext = (
  { running, served, waiting }: FairQueue,
  { concurrent, concurrentPerRoot = concurrent }: QueueLimits
): Option.Option<{ readonly queue: FairQueue; readonly entry: Entry }> => {
  if (running.length >= concurrent) return Option.none()
  const rootOf = (entry: Entry) => tenancyOf(entry).root
  const startable = waiting.filter((entry) =>
    running.filter((runningEntry) => rootOf(runningEntry) === rootOf(entry)).length < concurrentPerRoot
  )
  // No running entries are passed, so that only the latest turns decide. Ids ascend, so an id serves as the time since
  // which an entry waits.
  const [first] = inTurns(startable.map((entry) => ({ ...tenancyOf(entry), since: entry.id, entry })), {
    running: [],
    served
  }, 1)
  if (first === undefined) return Option.none()
  const { entry } = first
  const keys = turnKeys(first)
  return Option.some({
    entry,
    queue: {
      running: [...running, entry],
      waiting: waiting.filter(({ id }) => id !== entry.id),
      served: [...served.filter((key) => !keys.includes(key)), ...keys]
    }
  })
}

/** Removes an entry that has ended or no longer waits. Does nothing if the entry is not in the queue. */
export const leaveQueue = (queue: FairQueue, { id }: Entry): FairQueue => {
  const running = queue.running.filter((entry) => entry.id !== id)
  const waiting = queue.waiting.filter((entry) => entry.id !== id)
  const present = new Set([...running, ...waiting].flatMap((entry) => turnKeys(tenancyOf(entry))))
  return { running, waiting, served: queue.served.filter((key) => present.has(key)) }
}

/** The error of a call that gets no turn. */
export const turnRefused = new Busy({ retry_after_seconds: 2 })

/**
 * Waits for a turn of an owner, which lasts until the scope closes. Fails with Busy if the entry is refused, or if its
 * turn does not come in time.
 */
export type TakeTurn = (owner: TurnOwner) => Effect.Effect<void, Busy, Scope.Scope>

/** Creates an empty queue. A waiting entry fails with Busy after `maxWait`. */
export const makeTurns = (limits: QueueLimits, maxWait: Duration.Duration): TakeTurn => {
  let queue = emptyQueue
  let lastId = 0
  const ready = new Map<number, Deferred.Deferred<void, Busy>>()

  const answer = ({ id }: Entry, result: Effect.Effect<void, Busy>) => {
    const deferred = ready.get(id)
    ready.delete(id)
    if (deferred !== undefined) Deferred.doneUnsafe(deferred, result)
  }

  const startReady = () => {
    for (let next = startNext(queue, limits); Option.isSome(next); next = startNext(queue, limits)) {
      queue = next.value.queue
      answer(next.value.entry, Effect.void)
    }
  }

  const join = (entry: Entry, deferred: Deferred.Deferred<void, Busy>) => {
    const joined = joinQueue(queue, entry, limits)
    queue = joined.queue
    ready.set(entry.id, deferred)
    if (Option.isSome(joined.refused)) answer(joined.refused.value, Effect.fail(turnRefused))
    startReady()
  }

  const leave = (entry: Entry) => {
    queue = leaveQueue(queue, entry)
    ready.delete(entry.id)
    startReady()
  }

  return (owner) =>
    Effect.suspend(() => {
      const entry: Entry = { ...owner, id: ++lastId }
      const deferred = Deferred.makeUnsafe<void, Busy>()
      return Effect.andThen(
        Effect.acquireRelease(Effect.sync(() => join(entry, deferred)), () => Effect.sync(() => leave(entry))),
        Effect.timeoutOrElse(Deferred.await(deferred), { duration: maxWait, orElse: () => Effect.fail(turnRefused) })
      )
    })
}
