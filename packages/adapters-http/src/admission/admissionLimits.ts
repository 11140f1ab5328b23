import { type AdmissionLimits } from "./AdmissionQueue.ts"

/**
 * Default number of requests that run at the same time. A node has 10 database connections, of which two are kept for
 * background work.
 */
export const defaultConcurrency = 8

/** Minimum concurrency. Below it, the limit per kind equals the limit per caller. */
const minConcurrency = 4

/**
 * Returns the limits for a maximum number of concurrent requests. Reads and writes each get at most three quarters of
 * it. A caller gets at most half for its reads, half for its writes, and three quarters in total. A tenant leaves at
 * least one slot of each kind to the others.
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
 * Returns the limits for reads of one record by its id, and those for first pages of lists, which have their own slots.
 * They share executions of statements, so many of them need no more database connections than a few. Three times as
 * many of each run at the same time as other requests. A caller gets at most two thirds of these slots, and a tenant all
 * but one.
 */
export const lookupLimits = (concurrency: number): AdmissionLimits => admissionLimits(4 * concurrency)
