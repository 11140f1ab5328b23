import { Context } from "effect"

/** The work of one tenant. The partners of one root are one tenant. */
export interface TenantWork {
  /** The requests that ended. */
  readonly requests: number
  /** The processor time of requests and runs of jobs, in milliseconds. */
  readonly busy_ms: number
  /** The calls to the lender. */
  readonly calls: number
}

/** The work of one tenant, or of several together. */
export interface TenantLoad extends TenantWork {
  /** The id of the root partner. Empty: the caller is unknown. `other`: all further tenants. */
  readonly root: string
}

/** The root id under which further tenants are counted together. */
export const otherTenants = "other"

const noWork: TenantWork = { requests: 0, busy_ms: 0, calls: 0 }

const add = (a: TenantWork, b: Partial<TenantWork>): TenantWork => ({
  requests: a.requests + (b.requests ?? 0),
  busy_ms: a.busy_ms + (b.busy_ms ?? 0),
  calls: a.calls + (b.calls ?? 0)
})

/** Adds work to a root. If the map already has `most` roots, adds the work of a new root to `other`. */
const addTo = (works: Map<string, TenantWork>, root: string, work: Partial<TenantWork>, most: number): void => {
  const key = works.has(root) || works.size < most ? root : otherTenants
  works.set(key, add(works.get(key) ?? noWork, work))
}

/**
 * Adds up the loads of several nodes. Returns the `most` tenants with the most processor time, then calls, then
 * requests, largest first. Any further tenants follow together as `other`.
 */
export const joinLoads = (loads: ReadonlyArray<TenantLoad>, most: number): ReadonlyArray<TenantLoad> => {
  const works = new Map<string, TenantWork>()
  for (const { root, ...work } of loads) addTo(works, root, work, Number.POSITIVE_INFINITY)
  const tenants = Array.from(works, ([root, work]): TenantLoad => ({ root, ...work }))
    .filter(({ root }) => root !== otherTenants)
    .toSorted((a, b) => b.busy_ms - a.busy_ms || b.calls - a.calls || b.requests - a.requests)
  const rest = tenants.slice(most).reduce<TenantWork>(add, works.get(otherTenants) ?? noWork)
  const hasRest = rest.requests + rest.busy_ms + rest.calls > 0
  return [...tenants.slice(0, most), ...(hasRest ? [{ root: otherTenants, ...rest }] : [])]
}

/** The length of a period in milliseconds. The window moves by one period at a time. */
const periodMs = 10_000

/** Number of periods in the window. */
const periods = 30

/** The length of the window in minutes. */
export const meterMinutes = periods * periodMs / 60_000

/** Maximum number of tenants that are counted separately in a period. */
const mostTenants = 200

/** Counts the work of each tenant in the last five minutes, with limited memory. */
export interface TenantMeterService {
  /** Counts work at a monotonic time in milliseconds. */
  readonly count: (at_ms: number, root: string, work: Partial<TenantWork>) => void
  /** Returns the work in the five minutes before a time, in any order. */
  readonly read: (at_ms: number) => ReadonlyArray<TenantLoad>
}

const periodAt = (at_ms: number): number => Math.floor(at_ms / periodMs)

/** Creates a meter without any work. */
export const makeTenantMeter = (): TenantMeterService => {
  /** The work of each tenant, by period. */
  const window = new Map<number, Map<string, TenantWork>>()
  const forgetBefore = (first: number): void => {
    for (const period of window.keys()) if (period < first) window.delete(period)
  }
  return {
    count: (at_ms, root, work) => {
      const period = periodAt(at_ms)
      let works = window.get(period)
      if (works === undefined) {
        forgetBefore(period - periods + 1)
        window.set(period, works = new Map<string, TenantWork>())
      }
      addTo(works, root, work, mostTenants)
    },
    read: (at_ms) => {
      forgetBefore(periodAt(at_ms) - periods + 1)
      const works = new Map<string, TenantWork>()
      for (const ofPeriod of window.values()) {
        for (const [root, work] of ofPeriod) addTo(works, root, work, Number.POSITIVE_INFINITY)
      }
      return Array.from(works, ([root, work]) => ({ root, ...work }))
    }
  }
}

/** The meter of this node, for `lastro top`. Each node provides its own. Default: one for the process. */
export const TenantMeter: Context.Reference<TenantMeterService> = Context.Reference<TenantMeterService>(
  "@lastro/domain/ports/TenantMeter",
  { defaultValue: makeTenantMeter }
)
