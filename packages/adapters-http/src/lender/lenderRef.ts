/**
 * The `lender_ref` of an offer, as the domain stores it. It contains the version of the protocol with which the lender made the offer. The
 * submission of the offer uses the same version, so that each of its repetitions has the same body: on every node, after a restart, and after
 * an upgrade of the lender.
 */
const prefix = "lastro-lender-2"

/** Encodes the `lender_ref` of a version 2 lender. Offers of a version 1 lender have none. */
export const storeLenderRef = (lender_ref: string | null): string =>
  lender_ref === null ? prefix : `${prefix}:${lender_ref}`

/** The version of the submission of an offer, and the lender's own `lender_ref`. */
export interface StoredLenderRef {
  readonly version: 1 | 2
  readonly lender_ref: string | null
}

/** Reads a stored `lender_ref`. An offer of another adapter is submitted as version 1. */
export const readLenderRef = (stored: string | null | undefined): StoredLenderRef => {
  if (stored === prefix) return { version: 2, lender_ref: null }
  return stored?.startsWith(`${prefix}:`) === true
    ? { version: 2, lender_ref: stored.slice(prefix.length + 1) }
    : { version: 1, lender_ref: null }
}
