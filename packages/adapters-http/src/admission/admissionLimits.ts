import { type AdmissionLimits } from "./AdmissionQueue.ts"

/** Default number of requests that run at the same time: the 10 database connections of a node, without two for its background work. */
export const defaultConcurrency = 8

/** Minimum number of requests that run at the same time, so that the shares of kinds and callers differ. */
const minConcurrency = 4

/** Makes the limits for a number of requests that run at the same time. A kind gets at most three quarters of it. A caller gets at most half of it for one kind, and three quarters for both. */
export const admissionLimits = (concurrency: number): AdmissionLimits => {
  const slots = Math.max(minConcurrency, Math.floor(concurrency))
  return {
    slots,
    slotsPerKind: slots - Math.floor(slots / 4),
    slotsPerCaller: slots - Math.floor(slots / 4),
    slotsPerCallerAndKind: Math.floor(slots / 2),
    queue: 256,
    newestFirstAbove: 128,
    burstWait: 1_000,
    standingWait: 750
  }
}
