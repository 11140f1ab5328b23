/** The partner that work is done for. The partners of one root are one tenant. Empty ids if the partner is unknown. */
export interface Tenancy {
  /** The id of the root partner. */
  readonly root: string
  readonly partner: string
}

/** The tenancy of work whose partner is unknown. */
export const unknownTenancy: Tenancy = { root: "", partner: "" }

/** Work that waits for its turn. */
export interface WaitingWork extends Tenancy {
  /** The time since which it waits. */
  readonly since: number
}

/** Work for which turns are given. */
export interface Turns {
  /** The work that runs at the moment. */
  readonly running: ReadonlyArray<Tenancy>
  /** The keys ({@link turnKeys}) of earlier turns, in the order of the latest turns. Default: none. */
  readonly served?: ReadonlyArray<string>
}

/** Returns the keys of a turn: that of the root partner and that of the partner. */
export const turnKeys = ({ partner, root }: Tenancy): readonly [root: string, partner: string] => [
  root,
  `${root}/${partner}`
]

const counted = (keys: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** A waiting work with its place among all work of its key: the number of running work, plus the work that waits before it. */
interface Placed<W> {
  readonly work: W
  readonly place: number
}

/** Orders work by its place in its key, then by the latest turn of the key, then by the time since which it waits. */
const orderBy = <W extends WaitingWork>(
  waiting: ReadonlyArray<W>,
  keyOf: (work: Tenancy) => string,
  { running, served = [] }: Turns
): ReadonlyArray<W> => {
  const places = new Map(counted(running.map(keyOf)))
  const turns = new Map(served.map((key, index) => [key, index]))
  const placed = waiting.map((work): Placed<W> => {
    const key = keyOf(work)
    const place = places.get(key) ?? 0
    places.set(key, place + 1)
    return { work, place }
  })
  const turnOf = (work: W): number => turns.get(keyOf(work)) ?? -1
  return placed.toSorted((one, other) =>
    one.place - other.place || turnOf(one.work) - turnOf(other.work) || one.work.since - other.work.since
  ).map(({ work }) => work)
}

/**
 * Root partners take turns, and the partners of a root take turns within its turns. The next turn is that of the root with the
 * fewest running jobs or calls. Of several such roots, it is the one whose latest turn is longest ago, then the one whose work
 * has waited longest. The same order holds for the partners of the root, and the work of a partner keeps its order. Work of a
 * tenant that has nothing running or waiting is thus the next one, however much work of others waits.
 *
 * Returns the waiting work in the order in which it starts if none of it ends meanwhile.
 * @rule TURN-01
 */
export const inTurns = <W extends WaitingWork>(waiting: ReadonlyArray<W>, turns: Turns): ReadonlyArray<W> => {
  const oldestFirst = waiting.toSorted((one, other) => one.since - other.since)
  const byPartner = orderBy(oldestFirst, (work) => turnKeys(work)[1], turns)
  const [first] = byPartner
  return first === undefined || byPartner.every(({ root }) => root === first.root)
    ? byPartner
    : orderBy(byPartner, ({ root }) => root, turns)
}
