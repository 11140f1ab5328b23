/** Time for which a callback is remembered until a job gets its `callback_key` (LENDER-22), in milliseconds: 15 minutes. */
export const earlyCallbackMs = 15 * 60_000

/**
 * A callback that names a `callback_key` is remembered for 15 minutes, because the lender can call back before its
 * PENDING answer with this key is stored. If a job gets the key within that time, the job becomes due at once, with the
 * `lender_state` of the callback.
 * @rule LENDER-22
 */
export const isRemembered = (called_at: number, at: number): boolean => at - called_at < earlyCallbackMs
