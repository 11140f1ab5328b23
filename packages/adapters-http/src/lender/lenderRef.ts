/**
 * The prefix of the stored `lender_ref` of an offer that the lender made with protocol version 2. The offer is submitted
 * with the same version, so that each retry sends the same body: on every node, after a restart, and after an upgrade of
 * the lender.
 */
const prefix = "lastro-lender-2"

/** Encodes the `lender_ref` of an offer with protocol version 2. An offer with version 1 has none. */
export const storeLenderRef = (lender_ref: string | null): string =>
  lender_ref === null ? prefix : `${prefix}:${lender_ref}`

/** The protocol version for submitting an offer, and the lender's own `lender_ref`. */
export interface StoredLenderRef {
  readonly version: 1 | 2
  readonly lender_ref: string | null
}

/** Reads a stored `lender_ref`. If another adapter stored it, returns protocol version 1. */
export const readLenderRef = (stored: string | null | undefined): StoredLenderRef => {
  if (stored === prefix) return { version: 2, lender_ref: null }
  return stored?.startsWith(`${prefix}:`) === true
    ? { version: 2, lender_ref: stored.slice(prefix.length + 1) }
    : { version: 1, lender_ref: null }
}
