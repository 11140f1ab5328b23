/**
 * A reading of another clock, and the times of this node's clock at which it was requested and received, in milliseconds since
 * 1970.
 */
export interface ClockReading {
  readonly sent_ms: number
  readonly other_ms: number
  readonly received_ms: number
}

/**
 * Returns the minimum number of milliseconds by which this node's clock is ahead of another clock. Negative if it is
 * behind. The other clock was read at an unknown time between `sent_ms` and `received_ms`, so the result is 0 if
 * `other_ms` is between them.
 */
export const clockSkewMs = ({ other_ms, received_ms, sent_ms }: ClockReading): number =>
  sent_ms > other_ms ? sent_ms - other_ms : received_ms < other_ms ? received_ms - other_ms : 0

/** The largest tolerated difference between the clocks of a node and of the database, in milliseconds. */
export const maxClockSkewMs = 30_000

/**
 * A node whose clock differs from the clock of the database by more than 30 seconds is not ready. It serves no requests
 * and runs no job, because it would let offers expire and contracts fall due at the wrong time.
 * @rule JOB-03
 */
export const isClockRight = (skew_ms: number): boolean => Math.abs(skew_ms) <= maxClockSkewMs

/**
 * The largest tolerated difference between the present time of the database and a time that it stored, in milliseconds.
 */
export const maxClockStepMs = 5_000

/**
 * If the clock of the database was set back by more than 5 seconds, every stored time that work waits for becomes
 * earlier by that time. Otherwise, work that was stored while the clock was ahead would wait for it. `stored_ms` is the
 * last time that the database stored, `now_ms` its present time. Returns the time by which the clock was set back, or
 * 0.
 * @rule JOB-09
 */
export const clockSetBackMs = (stored_ms: number, now_ms: number): number =>
  stored_ms - now_ms > maxClockStepMs ? stored_ms - now_ms : 0
