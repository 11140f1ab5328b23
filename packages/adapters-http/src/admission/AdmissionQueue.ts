import { type Entry, tenantOf, WaitingLine, type WorkKind } from "./WaitingLine.ts"

/** The limits of the admission queue. */
export interface AdmissionLimits {
  /** Maximum number of requests that run at the same time. */
  readonly slots: number
  /** Maximum number of slots for reads, and for writes. The other slots are reserved for the other kind. */
  readonly slotsPerKind: number
  /** Maximum number of slots for one caller. Less than `slots`, so that no caller can use the whole node. */
  readonly slotsPerCaller: number
  /**
   * Maximum number of slots for the reads, or for the writes, of one caller. Less than `slotsPerKind`, so that no
   * caller can use all slots of a kind.
   */
  readonly slotsPerCallerAndKind: number
  /** Maximum number of slots for all callers of one tenant. Less than `slots`. */
  readonly slotsPerTenant: number
  /** Maximum number of slots for the reads, or for the writes, of one tenant. Less than `slotsPerKind`. */
  readonly slotsPerTenantAndKind: number
  /** Maximum number of waiting requests of one kind. */
  readonly queue: number
  /** Maximum number of waiting requests of one kind without an overload. Above it, the newest is admitted first. */
  readonly newestFirstAbove: number
  /** Maximum wait in milliseconds during a short burst. */
  readonly burstWait: number
  /**
   * Maximum wait in milliseconds during a lasting overload: requests of the kind have been waiting without a break for
   * longer than `burstWait`.
   */
  readonly standingWait: number
}

/** Why a request was refused before it started. */
export type AdmissionRefusal = "queue_full" | "queue_timeout"

/** The result of an event: the requests that start now, and those that are refused now. */
export interface Decision<E> {
  readonly admitted: ReadonlyArray<E>
  readonly refused: ReadonlyArray<{ readonly entry: E; readonly reason: AdmissionRefusal }>
}

const kinds = ["read", "write"] as const

/** Number of running requests of each kind. */
type Counts = Record<WorkKind, number>

const countIn = (counts: Map<string, Counts>, key: string, kind: WorkKind, change: 1 | -1): void => {
  const present = counts.get(key)
  if (present === undefined) return void counts.set(key, { read: 0, write: 0, [kind]: change })
  present[kind] += change
  if (total(present) === 0) counts.delete(key)
}

const total = ({ read, write }: Counts): number => read + write

/**
 * Decides which request starts next, and which is refused. It is deterministic: it has no clock and no effects.
 * - A request starts while a slot is free for its kind, its tenant and its caller. No slot stays free while a request
 *   could use it.
 * - The next request comes from the tenant with the fewest running requests, and there from the caller with the fewest.
 *   The oldest request of that caller starts. While the queue is overloaded, its newest request starts, because the
 *   clients of old requests have probably given up.
 * - If the queue is full, a request is refused: from the tenant with the most waiting requests, and there from the
 *   caller with the most. The newest request of that caller is refused, or, while the queue is overloaded, its oldest.
 * - A request that paused, such as a long poll, continues before other requests start. It is never refused.
 */
export class AdmissionQueue<E extends Entry> {
  readonly #limits: AdmissionLimits
  readonly #running = new Set<E>()
  readonly #runningByKind: Counts = { read: 0, write: 0 }
  readonly #runningByCaller = new Map<string, Counts>()
  readonly #runningByTenant = new Map<string, Counts>()
  readonly #waiting = { read: new WaitingLine<E>(), write: new WaitingLine<E>() }
  readonly #resuming = new Set<E>()

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  running(kind: WorkKind): number {
    return this.#runningByKind[kind]
  }

  runningOf(caller: string): number {
    const counts = this.#runningByCaller.get(caller)
    return counts === undefined ? 0 : total(counts)
  }

  /** Returns the number of waiting requests of a kind, without paused requests. */
  waiting(kind: WorkKind): number {
    return this.#waiting[kind].length
  }

  /** Admits, queues or refuses a new request. */
  arrive(entry: E): Decision<E> {
    const line = this.#waiting[entry.kind]
    if (line.length === 0 && this.#resuming.size === 0 && this.#fits(entry)) {
      this.#start(entry)
      return { admitted: [entry], refused: [] }
    }
    line.add(entry)
    const admitted = this.#admit()
    if (line.length <= this.#limits.queue) return { admitted, refused: [] }
    const longest = line.longest()
    const refused = this.#isOverloaded(line) ? longest[0] : longest.at(-1)
    if (refused === undefined) return { admitted, refused: [] }
    line.remove(refused)
    return { admitted, refused: [{ entry: refused, reason: "queue_full" }] }
  }

  /** Removes a request that has ended, paused or left the queue. */
  end(entry: E): Decision<E> {
    if (this.#running.delete(entry)) {
      this.#runningByKind[entry.kind] -= 1
      this.#count(entry, -1)
    } else if (!this.#resuming.delete(entry)) this.#waiting[entry.kind].remove(entry)
    return { admitted: this.#admit(), refused: [] }
  }

  /** Lets a paused request continue as soon as a slot is free. */
  resume(entry: E): Decision<E> {
    this.#resuming.add(entry)
    return { admitted: this.#admit(), refused: [] }
  }

  /** Refuses the requests that have waited for the maximum time. */
  expire(now: number): Decision<E> {
    const expired = kinds.flatMap((kind) => {
      const line = this.#waiting[kind]
      const maxWait = this.#maxWait(line, now)
      return [...line.byCaller.values()].flat().filter(({ at }) => now - at >= maxWait)
    })
    for (const entry of expired) this.#waiting[entry.kind].remove(entry)
    return {
      admitted: this.#admit(),
      refused: expired.map((entry) => ({ entry, reason: "queue_timeout" }))
    }
  }

  /** Returns whether the caller of a running request, or its tenant, has more slots than allowed. */
  exceedsShare(entry: E): boolean {
    const { slotsPerCaller, slotsPerCallerAndKind, slotsPerTenant, slotsPerTenantAndKind } = this.#limits
    const counts = this.#runningByCaller.get(entry.caller)
    const tenant = this.#runningByTenant.get(tenantOf(entry.caller))
    if (counts === undefined || tenant === undefined || !this.#running.has(entry)) return false
    return total(counts) > slotsPerCaller || counts[entry.kind] > slotsPerCallerAndKind ||
      total(tenant) > slotsPerTenant || tenant[entry.kind] > slotsPerTenantAndKind
  }

  /** Assigns a running request to its verified caller. The caller may then have more slots than allowed. */
  identify(entry: E, caller: string): Decision<E> {
    if (!this.#running.has(entry) || entry.caller === caller) return { admitted: [], refused: [] }
    this.#count(entry, -1)
    entry.caller = caller
    this.#count(entry, 1)
    return { admitted: this.#admit(), refused: [] }
  }

  #maxWait({ busySince }: WaitingLine<E>, now: number): number {
    const { burstWait, standingWait } = this.#limits
    return now - busySince > burstWait ? standingWait : burstWait
  }

  #fits({ caller, kind }: Entry): boolean {
    return this.#isOpen(kind) && this.#hasShare(caller, kind)
  }

  #hasShare(caller: string, kind: WorkKind): boolean {
    const tenant = this.#runningByTenant.get(tenantOf(caller))
    if (tenant === undefined) return true
    const { slotsPerCaller, slotsPerCallerAndKind, slotsPerTenant, slotsPerTenantAndKind } = this.#limits
    if (total(tenant) >= slotsPerTenant || tenant[kind] >= slotsPerTenantAndKind) return false
    const counts = this.#runningByCaller.get(caller)
    return counts === undefined || total(counts) < slotsPerCaller && counts[kind] < slotsPerCallerAndKind
  }

  #count(entry: Entry, change: 1 | -1): void {
    countIn(this.#runningByCaller, entry.caller, entry.kind, change)
    countIn(this.#runningByTenant, tenantOf(entry.caller), entry.kind, change)
  }

  #isOpen(kind: WorkKind): boolean {
    return this.#running.size < this.#limits.slots && this.#runningByKind[kind] < this.#limits.slotsPerKind
  }

  #start(entry: E): void {
    this.#running.add(entry)
    this.#runningByKind[entry.kind] += 1
    this.#count(entry, 1)
  }

  #isOverloaded({ length }: WaitingLine<E>): boolean {
    return length > this.#limits.newestFirstAbove
  }

  /** Starts waiting requests until none of them can get a slot. */
  #admit(): ReadonlyArray<E> {
    const admitted: Array<E> = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!this.#resuming.delete(next)) this.#waiting[next.kind].remove(next)
      this.#start(next)
      admitted.push(next)
    }
    return admitted
  }

  #next(): E | undefined {
    for (const entry of this.#resuming) if (this.#fits(entry)) return entry
    let best: E | undefined
    for (const kind of kinds) {
      const line = this.#waiting[kind]
      if (line.length === 0 || !this.#isOpen(kind)) continue
      const overloaded = this.#isOverloaded(line)
      for (const [caller, entries] of line.byCaller) {
        const entry = overloaded ? entries.at(-1) : entries[0]
        if (entry === undefined || !this.#hasShare(caller, kind)) continue
        if (best === undefined || this.#precedes(entry, best, overloaded)) best = entry
      }
    }
    return best
  }

  #runningOfTenant({ caller }: Entry): number {
    const counts = this.#runningByTenant.get(tenantOf(caller))
    return counts === undefined ? 0 : total(counts)
  }

  #precedes(entry: E, best: E, newestFirst: boolean): boolean {
    const byTenant = this.#runningOfTenant(entry) - this.#runningOfTenant(best)
    if (byTenant !== 0) return byTenant < 0
    const byCaller = this.runningOf(entry.caller) - this.runningOf(best.caller)
    if (byCaller !== 0) return byCaller < 0
    return newestFirst ? entry.at > best.at : entry.at < best.at
  }
}
