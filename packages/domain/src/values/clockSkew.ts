/**
 * The time that another clock showed, and the times of this node's clock before and after that reading. In milliseconds
 * since 1970.
 */
export interface ClockReading {
  readonly sent_ms: number
  readonly other_ms: number
  readonly received_ms: number
}

/**
 * Returns the minimum number of milliseconds by which this node's clock is ahead of the other clock, negative if it is
 * behind. Returns 0 if `other_ms` is between `sent_ms` and `received_ms`, because the clocks can then be equal.
 */
export const clockSkewMs = ({ other_ms, received_ms, sent_ms }: ClockReading): number => {
  if (sent_ms > other_ms) return sent_ms - other_ms
  return received_ms < other_ms ? received_ms - other_ms : 0
}

/** The largest tolerated difference between the clocks of a node and of the database, in milliseconds. */
export const maxClockSkewMs = 30_000

/**
 * A node is not ready if its clock differs from that of the database by more than 30 seconds. It serves no requests and
 * runs no job, because offers would expire and contracts fall due at the wrong time.
 * @rule JOB-03
 */
export const isClockRight = (skew_ms: number): boolean => Math.abs(skew_ms) <= maxClockSkewMs

/** The largest tolerated step of the database's clock back in time, in milliseconds. */
export const maxClockStepMs = 5_000

/**
 * If the clock of the database was set back by more than 5 seconds, the due times of all stored work are moved back by
 * the same amount. Otherwise, work that was stored while the clock was ahead would start too late. `stored_ms` is the
 * latest time that the database has stored, and `now_ms` its current time. Returns the time by which the clock was set
 * back, or 0.
 * @rule JOB-09
 */
export const clockSetBackMs = (stored_ms: number, now_ms: number): number =>
  stored_ms - now_ms > maxClockStepMs ? stored_ms - now_ms : 0
