import { type AdmissionLimits } from "./AdmissionQueue.ts"

/**
 * Default number of requests that run at the same time. A node has 10 database connections, of which two are kept for
 * background work.
 */
export const defaultConcurrency = 8

/** Minimum concurrency. With fewer slots, no slot would be reserved for the other kind and for other callers. */
const minConcurrency = 4

/**
 * Returns the limits for a maximum number of concurrent requests. Reads use at most three quarters of the slots, and so
 * do writes. A caller uses at most half for its reads, half for its writes, and three quarters in total. A tenant
 * leaves at least one slot of each kind to other tenants.
 */
export const admissionLimits = (concurrency: number): AdmissionLimits => {
  const slots = Math.max(minConcurrency, Math.floor(concurrency))
  return {
    slots,
    slotsPerKind: slots - Math.floor(slots / 4),
    slotsPerCaller: slots - Math.floor(slots / 4),
    slotsPerCallerAndKind: Math.floor(slots / 2),
    slotsPerTenant: slots - 1,
    slotsPerTenantAndKind: slots - Math.floor(slots / 4) - 1,
    queue: 256,
    newestFirstAbove: 128,
    burstWait: 1_000,
    standingWait: 750
  }
}

/**
 * Returns the limits for reads of one record by its id. The same limits apply to first pages of lists. Concurrent reads
 * of these kinds share database statements, so they need few connections. Up to three times `concurrency` of each kind
 * run at the same time. A caller uses at most two thirds of these slots, and a tenant all but one.
 */
export const lookupLimits = (concurrency: number): AdmissionLimits => admissionLimits(4 * concurrency)
