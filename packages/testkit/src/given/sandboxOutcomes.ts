/**
 * What the sandbox lender can make of a customer, by name, and the last two digits of the CPFs that it makes it of. A name without
 * a comment is the code of the rejection that every quote is answered with.
 */
export const sandboxOutcomes = {
  /** Three offers; the contract is paid. */
  PAID: "00",
  /** One of the three tables cannot be priced. */
  TABLE_UNPRICED: "78",
  /** Two instalments only. */
  SMALL_BALANCE: "79",
  /** The contract is rejected after acceptance. */
  KYC_REJECTED: "80",
  BIRTH_DATE_MISMATCH: "81",
  /** To be tried again in 90 days. */
  OPT_IN_WAITING_PERIOD: "82",
  EXISTING_CONTRACT: "83",
  /** The balance is too small for a single instalment. */
  BELOW_MINIMUM_INSTALLMENT: "84",
  /** Offers expire two seconds after the quote was asked for. */
  OFFERS_EXPIRE: "85",
  /** The contract is rejected after acceptance. */
  LENDER_POLICY: "86",
  /** The contract is cancelled, as nobody signed it. */
  SIGNATURE_EXPIRED: "87",
  /** The first payment fails; one to another account succeeds. */
  DISBURSEMENT_FAILED: "88",
  NO_BALANCE: "89",
  /** The second quote succeeds. */
  OPERATION_IN_PROGRESS: "90",
  /** The second quote succeeds, as the customer has acted. */
  NO_AUTHORIZATION: "91",
  NOT_OPTED_IN: "92",
  /** To be tried again in three seconds. */
  BIRTHDAY_WINDOW: "93",
  OPT_OUT_IN_PROGRESS: "94",
  /** The second quote succeeds. */
  ACCOUNT_CHANGES_PENDING: "95",
  /** The lender never answers. */
  UPSTREAM_UNAVAILABLE: "96",
  /** The lender does not answer twice, then it does. */
  UPSTREAM_RECOVERS: "97",
  /** The lender answers after five seconds. */
  ANSWERS_LATE: "98"
} as const

/** The name of what the sandbox lender makes of a customer. */
export type SandboxOutcome = keyof typeof sandboxOutcomes
