/** Time for which a callback that names a `callback_key` is remembered, in milliseconds: 15 minutes. */
export const earlyCallbackMs = 15 * 60_000

/**
 * A lender can call back before the PENDING answer with the key of the callback is stored. A callback that names a key is therefore remembered
 * for 15 minutes. A job that gets the key in this time becomes due at once, with the `lender_state` of the callback, as if the callback had come
 * during the run.
 * @rule LENDER-22
 */
export const isRemembered = (called_at: number, at: number): boolean => at - called_at < earlyCallbackMs
