/**
 * The partner for which work is done. The partners of one root are one tenant. The ids are empty if the partner is
 * unknown.
 */
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
  /** Number of turns that it needs. Default: 1. */
  readonly times?: number
}

/** Work that runs, and the order of the latest turns. */
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

/** The turns of one root partner, or of one partner. */
interface Lane {
  /** Number of running jobs or calls. */
  running: number
  /** The number of its latest turn, or -1 without one. */
  served: number
}

/** A partner with waiting work. */
interface PartnerLane<W> extends Lane {
  /** The waiting work, oldest first. `times` is the number of turns that it still needs. */
  readonly works: Array<{ readonly work: W; times: number }>
}

/** A root partner whose partners have waiting work. */
interface RootLane<W> extends Lane {
  readonly partners: Map<string, PartnerLane<W>>
  /** The partner that has the next turn of the root. */
  next: string
}

const sinceOf = <W extends WaitingWork>({ works: [first] }: PartnerLane<W>): number => first?.work.since ?? Infinity

const isBefore = (a: Lane, aSince: number, b: Lane, bSince: number): boolean =>
  (a.running - b.running || a.served - b.served || aSince - bSince) < 0

/** Returns the key with the next turn. Undefined if there is none. */
const firstOf = <L extends Lane>(lanes: ReadonlyMap<string, L>, since: (lane: L) => number): string | undefined => {
  let first: readonly [key: string, lane: L] | undefined
  for (const entry of lanes) {
    if (first === undefined || isBefore(entry[1], since(entry[1]), first[1], since(first[1]))) first = entry
  }
  return first?.[0]
}

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

/** Groups the waiting work by root and partner. */
const groupByTenancy = <W extends WaitingWork>(
  waiting: ReadonlyArray<W>,
  makeLane: (key: string) => Lane
): Map<string, RootLane<W>> => {
  const roots = new Map<string, RootLane<W>>()
  for (const work of waiting.toSorted((a, b) => a.since - b.since)) {
    const [rootKey, partnerKey] = turnKeys(work)
    const root = entryOf(roots, work.root, () => ({ ...makeLane(rootKey), partners: new Map(), next: "" }))
    const partner = entryOf(root.partners, work.partner, () => ({ ...makeLane(partnerKey), works: [] }))
    partner.works.push({ work, times: work.times ?? 1 })
  }
  for (const root of roots.values()) root.next = firstOf(root.partners, sinceOf) ?? ""
  return roots
}

/**
 * Root partners take turns, and the partners of a root take turns within its turns. The next turn goes to the root with
 * the fewest running jobs or calls. Of several roots with as few, it goes to the one whose latest turn is longest ago,
 * then to the one whose work has waited longest. The same order holds for the partners of a root. The work of one
 * partner keeps its order. So the work of a tenant with nothing running comes first, however much other work waits.
 *
 * Returns the first `count` turns (default: all), if no work ends meanwhile.
 * @rule TURN-01
 */
export const inTurns = <W extends WaitingWork>(
  waiting: ReadonlyArray<W>,
  { running, served = [] }: Turns,
  count: number = Infinity
): ReadonlyArray<W> => {
  const latest = new Map(served.map((key, index) => [key, index]))
  const runs = new Map<string, number>()
  for (const key of running.flatMap(turnKeys)) runs.set(key, (runs.get(key) ?? 0) + 1)
  const roots = groupByTenancy(waiting, (key) => ({ running: runs.get(key) ?? 0, served: latest.get(key) ?? -1 }))
  const sinceOfRoot = ({ next, partners }: RootLane<W>): number => {
    const partner = partners.get(next)
    return partner === undefined ? Infinity : sinceOf(partner)
  }
  const ordered: Array<W> = []
  for (let turn = served.length; ordered.length < count; turn++) {
    const rootId = firstOf(roots, sinceOfRoot)
    const root = roots.get(rootId ?? "")
    const partner = root?.partners.get(root.next)
    const first = partner?.works[0]
    if (rootId === undefined || root === undefined || partner === undefined || first === undefined) break
    ordered.push(first.work)
    for (const lane of [root, partner]) Object.assign(lane, { running: lane.running + 1, served: turn })
    first.times--
    if (first.times <= 0) partner.works.shift()
    if (partner.works.length === 0) root.partners.delete(root.next)
    root.next = firstOf(root.partners, sinceOf) ?? ""
    if (root.partners.size === 0) roots.delete(rootId)
  }
  return ordered
}
