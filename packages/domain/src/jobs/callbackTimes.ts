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

/** Time for which a callback is remembered until a job gets its `callback_key` (LENDER-22), in milliseconds: 15 minutes. */
export const earlyCallbackMs = 15 * 60_000

/**
 * A callback that names a `callback_key` is remembered for 15 minutes, because the lender can call back before its
 * PENDING answer with this key is stored. If a job gets the key within that time, the job becomes due at once, with the
 * `lender_state` of the callback.
 * @rule LENDER-22
 */
export const isRemembered = (called_at: number, at: number): boolean => at - called_at < earlyCallbackMs
