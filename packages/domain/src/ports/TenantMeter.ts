import { Context } from "effect"

/** Work of one tenant: the partners of one root. */
export interface TenantWork {
  /** The requests that ended. */
  readonly requests: number
  /** The processor time of requests and runs of jobs, in milliseconds. */
  readonly busy_ms: number
  /** The calls to the lender. */
  readonly calls: number
}

/**
 * The work of a tenant, with the id of its root partner. Empty: the caller was unknown. `other`: all further tenants.
 */
export interface TenantLoad extends TenantWork {
  readonly root: string
}

/** The root of the tenants that are counted together, because there are too many. */
export const otherTenants = "other"

const none: TenantWork = { requests: 0, busy_ms: 0, calls: 0 }

const add = (a: TenantWork, b: Partial<TenantWork>): TenantWork => ({
  requests: a.requests + (b.requests ?? 0),
  busy_ms: a.busy_ms + (b.busy_ms ?? 0),
  calls: a.calls + (b.calls ?? 0)
})

/** Adds work to that of a root. Adds it to `other` if the map has `most` roots and not this one. */
const addTo = (works: Map<string, TenantWork>, root: string, work: Partial<TenantWork>, most: number): void => {
  const known = works.get(root)
  const key = known !== undefined || works.size < most ? root : otherTenants
  works.set(key, add(known ?? works.get(key) ?? none, work))
}

/**
 * Adds up the loads of several nodes. Returns the `most` tenants with the most processor time, then calls, then
 * requests, the largest first. The work of all further tenants follows as `other`, if there is any.
 */
export const joinLoads = (loads: ReadonlyArray<TenantLoad>, most: number): ReadonlyArray<TenantLoad> => {
  const works = new Map<string, TenantWork>()
  for (const { root, ...work } of loads) addTo(works, root, work, Number.POSITIVE_INFINITY)
  const tenants = Array.from(works, ([root, work]): TenantLoad => ({ root, ...work }))
    .filter(({ root }) => root !== otherTenants)
    .toSorted((one, two) => two.busy_ms - one.busy_ms || two.calls - one.calls || two.requests - one.requests)
  const rest = tenants.slice(most).reduce<TenantWork>(add, works.get(otherTenants) ?? none)
  const hasRest = rest.requests + rest.busy_ms + rest.calls > 0
  return [...tenants.slice(0, most), ...(hasRest ? [{ root: otherTenants, ...rest }] : [])]
}

/** The length of a period in milliseconds. The window moves by one period. */
const periodMs = 10_000

/** Number of periods in the window. */
const periods = 30

/** The window of the meter in minutes. */
export const meterMinutes = periods * periodMs / 60_000

/** Maximum number of tenants that a period counts apart. */
const mostTenants = 200

/** Counts the work of each tenant in the last five minutes. Its memory is limited, however many tenants there are. */
export interface TenantMeterService {
  /** Counts work at a monotonic time in milliseconds. */
  readonly count: (at_ms: number, root: string, work: Partial<TenantWork>) => void
  /** Returns the work in the five minutes before a time, without an order. */
  readonly read: (at_ms: number) => ReadonlyArray<TenantLoad>
}

const numberOf = (at_ms: number): number => Math.floor(at_ms / periodMs)

/** Makes a meter that has counted nothing. */
export const makeTenantMeter = (): TenantMeterService => {
  const window = new Map<number, Map<string, TenantWork>>()
  const forgetBefore = (first: number): void => {
    for (const number of window.keys()) if (number < first) window.delete(number)
  }
  return {
    count: (at_ms, root, work) => {
      const number = numberOf(at_ms)
      let works = window.get(number)
      if (works === undefined) {
        forgetBefore(number - periods + 1)
        window.set(number, works = new Map<string, TenantWork>())
      }
      addTo(works, root, work, mostTenants)
    },
    read: (at_ms) => {
      forgetBefore(numberOf(at_ms) - periods + 1)
      const works = new Map<string, TenantWork>()
      for (const period of window.values()) {
        for (const [root, work] of period) addTo(works, root, work, Number.POSITIVE_INFINITY)
      }
      return Array.from(works, ([root, work]) => ({ root, ...work }))
    }
  }
}

/** The meter of this node, which `lastro top` shows. A node provides its own. Default: one for the process. */
export const TenantMeter: Context.Reference<TenantMeterService> = Context.Reference<TenantMeterService>(
  "@lastro/domain/ports/TenantMeter",
  { defaultValue: makeTenantMeter }
)
