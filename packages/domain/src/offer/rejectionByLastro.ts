import { type RejectionCode, type RejectionReason, rejectionReason } from "./RejectionReason.ts"

interface OwnText {
  readonly code: RejectionCode
  readonly message: string
}

/**
 * The rejections that Lastro makes itself. Their English messages are stored, so they never change: a new wording gets
 * a new entry.
 */
const texts = {
  COSTS_TOO_HIGH: { code: "FEES_EXCEED_PRINCIPAL", message: "Costs exceed the financed value." },
  UNLAWFUL_OFFER: { code: "LENDER_POLICY", message: "The lender's offer does not comply with the rules in force." },
  NO_TABLE: { code: "LENDER_POLICY", message: "The lender has no table for this customer." },
  NO_ANSWER: { code: "UPSTREAM_UNAVAILABLE", message: "The lender did not answer." },
  CONTRACT_CANCELLED: { code: "CUSTOMER_CANCELLED", message: "The contract was cancelled." },
  CONTRACT_REFUSED: { code: "LENDER_POLICY", message: "The lender refused the contract." },
  CONTRACT_REFUNDED: { code: "CUSTOMER_CANCELLED", message: "The contract was refunded." },
  PAYMENT_REVERSED: { code: "LENDER_POLICY", message: "The lender reversed the payment." },
  PAYMENT_FAILED: { code: "DISBURSEMENT_FAILED", message: "The payment failed." },
  CANCELLED_BY_CUSTOMER: { code: "CUSTOMER_CANCELLED", message: "The customer cancelled the operation." },
  CANCELLED_BY_PARTNER: { code: "CANCELLED_BY_PARTNER", message: "The partner cancelled the operation." },
  CORRECTION_EXPIRED: { code: "CORRECTION_EXPIRED", message: "The refused data was not corrected in time." },
  CONFLICT_EXPIRED: {
    code: "CONTRACT_CONFLICT",
    message: "The lender returned another contract for this proposal, and the conflict was not resolved in time."
  },
  OFFER_EXPIRED: { code: "OFFER_EXPIRED", message: "The offer expired before its contract was submitted." }
} as const satisfies Readonly<Record<string, OwnText>>

/** The name of a rejection that Lastro makes itself. */
export type OwnRejection = keyof typeof texts

/** The names of all rejections that Lastro makes itself. */
export const ownRejections = Object.keys(texts) as ReadonlyArray<OwnRejection>

/** Builds a rejection that Lastro makes itself, with its message in English. */
export const rejectionByLastro = (name: OwnRejection): RejectionReason =>
  rejectionReason(texts[name].code, texts[name].message)

const namesByText: ReadonlyMap<string, OwnRejection> =
  /* @__PURE__ */ (() => new Map(ownRejections.map((name) => [`${texts[name].code} ${texts[name].message}`, name])))()

/**
 * A rejection that Lastro made itself is recognized by its code and its stored English message, so that an API can show
 * the message in another language. Any other message is the lender's own text: it is passed on unchanged, and the
 * result is undefined.
 * @rule FGTS-44
 */
export const ownRejectionOf = (
  { code, message }: { readonly code: string; readonly message: string }
): OwnRejection | undefined => namesByText.get(`${code} ${message}`)
