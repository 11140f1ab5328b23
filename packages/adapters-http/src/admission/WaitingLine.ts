/** The class of a request. Reads and writes have separate queues, so that slow writes do not delay reads. */
export type WorkKind = "read" | "write"

/** A request that needs a slot. */
export interface Entry {
  readonly kind: WorkKind
  /** The key of the caller. The slots are shared fairly between callers. Only `identify` changes it. */
  caller: string
  /** The time of arrival in milliseconds. */
  readonly at: number
}

/**
 * The waiting requests of one kind, by caller, the oldest of each caller first. A request that expires or leaves is
 * removed.
 */
export class WaitingLine<E extends Entry> {
  readonly byCaller = new Map<string, Array<E>>()
  length = 0
  /** The time since which at least one request has always been waiting. */
  busySince = 0

  add(entry: E): void {
    if (this.length === 0) this.busySince = entry.at
    const own = this.byCaller.get(entry.caller)
    if (own === undefined) this.byCaller.set(entry.caller, [entry])
    else own.push(entry)
    this.length += 1
  }

  remove(entry: E): boolean {
    const own = this.byCaller.get(entry.caller)
    const index = own === undefined ? -1 : own.at(-1) === entry ? own.length - 1 : own.indexOf(entry)
    if (own === undefined || index < 0) return false
    own.splice(index, 1)
    if (own.length === 0) this.byCaller.delete(entry.caller)
    this.length -= 1
    return true
  }

  /** Returns the requests of the caller that has the most waiting requests. */
  longest(): ReadonlyArray<E> {
    let longest: ReadonlyArray<E> = []
    for (const own of this.byCaller.values()) if (own.length > longest.length) longest = own
    return longest
  }
}
