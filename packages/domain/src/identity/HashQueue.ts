import { Option } from "effect"

/** Limits on the computation of password hashes. */
export interface HashLimits {
  /** Maximum number of hashes that are computed at the same time. */
  readonly concurrent: number
  /** Maximum number of hashes that one client address has in the queue, computed at the moment or waiting. */
  readonly perAddress: number
  /** Maximum number of waiting hashes of all addresses. */
  readonly waiting: number
}

/** One hash to compute, as an entry of the queue. */
export interface HashTurn {
  readonly id: number
  /** The client address that caused the hash. Empty if unknown. */
  readonly address: string
}

/** The hashes that are computed at the moment, and the hashes that wait. */
export interface HashQueue {
  readonly running: ReadonlyArray<HashTurn>
  /** The waiting hashes, the oldest first. */
  readonly waiting: ReadonlyArray<HashTurn>
  /** The client addresses in the queue for which a hash was started earlier, in the order of their latest starts. */
  readonly served: ReadonlyArray<string>
}

/** A queue without hashes. */
export const emptyHashQueue: HashQueue = { running: [], waiting: [], served: [] }

const countOf = (turns: ReadonlyArray<HashTurn>, address: string): number =>
  turns.filter((turn) => turn.address === address).length

/** Returns the newest waiting hash of the address that has the most waiting hashes. */
const newestOfLongest = ({ waiting }: HashQueue): HashTurn | undefined =>
  Array.from(Map.groupBy(waiting, ({ address }) => address).values())
    .reduce((longest, turns) => turns.length > longest.length ? turns : longest, [])
    .at(-1)

/**
 * A hash is refused if its client address already has the maximum number of hashes, computed at the moment or waiting. If the
 * queue is full, the newest hash of the address with the most waiting hashes is refused. If the new hash would give its own
 * address at least as many waiting hashes, the new hash is refused instead. One address therefore never takes the places of all
 * others. Calls without a client address have no limit of their own.
 *
 * Returns the new queue. `refused` is the hash that gets no place in it.
 * @rule AUTH-15
 */
export const joinHashQueue = (
  queue: HashQueue,
  turn: HashTurn,
  limits: HashLimits
): { readonly queue: HashQueue; readonly refused: Option.Option<HashTurn> } => {
  const { running, waiting } = queue
  const waitingHere = countOf(waiting, turn.address)
  const isFull = turn.address !== "" && waitingHere + countOf(running, turn.address) >= limits.perAddress
  if (isFull) return { queue, refused: Option.some(turn) }
  if (waiting.length < limits.waiting) {
    return { queue: { ...queue, waiting: [...waiting, turn] }, refused: Option.none() }
  }
  const last = newestOfLongest(queue)
  return last === undefined || countOf(waiting, last.address) <= waitingHere + 1
    ? { queue, refused: Option.some(turn) }
    : {
      queue: { ...queue, waiting: [...waiting.filter(({ id }) => id !== last.id), turn] },
      refused: Option.some(last)
    }
}

/**
 * Client addresses take turns: the next hash to compute is the oldest one of the address whose latest turn is longest
 * ago. An address without a previous turn comes first. Returns none if nothing waits, or if the maximum number of
 * hashes is computed at the moment.
 * @rule AUTH-16
 */
export const startNextHash = (
  { running, served, waiting }: HashQueue,
  { concurrent }: HashLimits
): Option.Option<{ readonly queue: HashQueue; readonly turn: HashTurn }> => {
  if (running.length >= concurrent) return Option.none()
  const [turn] = waiting.toSorted((a, b) => served.indexOf(a.address) - served.indexOf(b.address))
  return turn === undefined ? Option.none() : Option.some({
    turn,
    queue: {
      running: [...running, turn],
      waiting: waiting.filter(({ id }) => id !== turn.id),
      served: [...served.filter((address) => address !== turn.address), turn.address]
    }
  })
}

/**
 * Removes a hash from the queue after it was computed, or because it no longer waits. Does nothing if the hash is not
 * in the queue.
 */
export const leaveHashQueue = (queue: HashQueue, { address, id }: HashTurn): HashQueue => {
  const running = queue.running.filter((turn) => turn.id !== id)
  const waiting = queue.waiting.filter((turn) => turn.id !== id)
  const remains = countOf(running, address) + countOf(waiting, address) > 0
  return { running, waiting, served: remains ? queue.served : queue.served.filter((one) => one !== address) }
}
