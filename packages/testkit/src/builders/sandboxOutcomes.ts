/**
 * The outcomes of the sandbox lender, each with the last two digits of the CPFs that select it. An outcome without a
 * comment rejects every quote with the rejection code of the same name.
 */
export const sandboxOutcomes = {
  /** The quote has three offers, and the contract is paid. */
  PAID: "00",
  /** For 2 s, the lender answers the quote request with PENDING. */
  PENDING: "70",
  /** For 2 s after the quote request, the lender refuses calls because there were too many. */
  THROTTLED: "71",
  /** The lender refuses the submission until the house number is `S/N`. */
  SUBMISSION_INVALID: "72",
  /** The lender reverses the contract one step after its payment. */
  REVERSED: "73",
  /** The customer does not pay a refund in time. */
  REFUND_EXPIRED: "74",
  /** A cancellation comes too late: the contract is already paid. */
  PAID_ON_CANCEL: "75",
  /** The contracts of all customers with this outcome have the same reference. */
  DUPLICATE_CONTRACT: "76",
  /** For 60 s, or until a callback, the lender answers the quote request with PENDING. */
  AWAITING_CALLBACK: "77",
  /** One of the three fee tables cannot be priced. */
  TABLE_UNPRICED: "78",
  /** Offers have two instalments only. */
  SMALL_BALANCE: "79",
  /** The contract is rejected after acceptance. */
  KYC_REJECTED: "80",
  BIRTH_DATE_MISMATCH: "81",
  /** Every quote is rejected. The customer can retry in 90 days. */
  OPT_IN_WAITING_PERIOD: "82",
  EXISTING_CONTRACT: "83",
  /** Every quote is rejected, because the balance is too small for a single instalment. */
  BELOW_MINIMUM_INSTALLMENT: "84",
  /** Offers expire 2 s after the quote request. */
  OFFERS_EXPIRE: "85",
  /** The contract is rejected after acceptance. */
  LENDER_POLICY: "86",
  /** The contract is cancelled because the customer does not sign it. */
  SIGNATURE_EXPIRED: "87",
  /** The first payment fails. A payment to another account succeeds. */
  DISBURSEMENT_FAILED: "88",
  NO_BALANCE: "89",
  /** The first quote is rejected, and the second quote succeeds. */
  OPERATION_IN_PROGRESS: "90",
  /** The first quote is rejected. The second quote succeeds, because the customer has given authorization by then. */
  NO_AUTHORIZATION: "91",
  NOT_OPTED_IN: "92",
  /** The first quote is rejected. A quote after 3 s succeeds. */
  BIRTHDAY_WINDOW: "93",
  OPT_OUT_IN_PROGRESS: "94",
  /** The first quote is rejected, and the second quote succeeds. */
  ACCOUNT_CHANGES_PENDING: "95",
  /** The lender never answers. */
  UPSTREAM_UNAVAILABLE: "96",
  /** The first two requests fail, the third succeeds. */
  UPSTREAM_RECOVERS: "97",
  /** The lender answers after 5 s. */
  ANSWERS_LATE: "98"
} as const

/** The name of an outcome of the sandbox lender. */
export type SandboxOutcome = keyof typeof sandboxOutcomes
