/** The kind of a request. Reads and writes have separate queues, so slow writes do not delay reads. */
export type WorkKind = "read" | "write"

/** A request that needs a slot. */
export interface Entry {
  readonly kind: WorkKind
  /**
   * The key of the caller, which may start with its tenant ({@link callerOfTenant}). Slots are shared fairly between
   * tenants, and then between the callers of a tenant. Only `identify` changes the key.
   */
  caller: string
  /** The time of arrival in milliseconds. */
  readonly at: number
}

/** Returns the key of a tenant's caller. `tenant` is the id of the root partner. */
export const callerOfTenant = (tenant: string, caller: string): string => `${tenant} ${caller}`

/** Returns the tenant of a caller. A caller whose tenant is unknown counts as a tenant of its own. */
export const tenantOf = (caller: string): string => {
  const end = caller.indexOf(" ")
  return end < 0 ? caller : caller.slice(0, end)
}

/** The waiting requests of one kind, by caller. The requests of a caller are in the order of their arrival. */
export class WaitingLine<E extends Entry> {
  readonly byCaller = new Map<string, Array<E>>()
  length = 0
  /** The time in milliseconds since which requests have been waiting without a break. */
  busySince = 0

  add(entry: E): void {
    if (this.length === 0) this.busySince = entry.at
    const entries = this.byCaller.get(entry.caller)
    if (entries === undefined) this.byCaller.set(entry.caller, [entry])
    else entries.push(entry)
    this.length += 1
  }

  remove(entry: E): void {
    const entries = this.byCaller.get(entry.caller)
    if (entries === undefined) return
    // The newest request is removed most often, so compare it first.
    const index = entries.at(-1) === entry ? entries.length - 1 : entries.indexOf(entry)
    if (index < 0) return
    entries.splice(index, 1)
    if (entries.length === 0) this.byCaller.delete(entry.caller)
    this.length -= 1
  }

  /**
   * Finds the tenant with the most waiting requests, and in it the caller with the most. Returns the requests of that
   * caller.
   */
  longest(): ReadonlyArray<E> {
    const tenants = new Map<string, number>()
    for (const [caller, { length }] of this.byCaller) {
      const tenant = tenantOf(caller)
      tenants.set(tenant, (tenants.get(tenant) ?? 0) + length)
    }
    let longest: ReadonlyArray<E> = []
    let most = 0
    for (const [caller, entries] of this.byCaller) {
      const ofTenant = tenants.get(tenantOf(caller)) ?? 0
      if (ofTenant < most || ofTenant === most && entries.length <= longest.length) continue
      longest = entries
      most = ofTenant
    }
    return longest
  }
}
