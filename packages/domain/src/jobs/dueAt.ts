/** If callbacks make a job run repeatedly, the minimum time between two runs, in milliseconds. */
export const duePauseMs = 1_000

/**
 * A callback makes a job due at once, but not sooner than one second after the job was last made due. Further callbacks
 * until then have no effect. Returns the time at which the job is due, or null if an earlier callback has already made
 * it due at a later time. Times are milliseconds since 1970.
 * @rule JOB-05
 */
export const dueAt = (last_due_at: number | null, at: number): number | null =>
  last_due_at === null ? at : last_due_at > at ? null : Math.max(at, last_due_at + duePauseMs)
