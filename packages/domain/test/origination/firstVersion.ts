/** The fields that the first version with proposals did not store. */
export const laterFields = [
  "asked_at",
  "submissions",
  "origin",
  "correction",
  "conflicting_reference",
  "cancellation",
  "withdrawal",
  "link_requested_at",
  "paid",
  "terms",
  "required_action",
  "refund"
]

/** The statuses of a proposal in this version. */
export const firstStatuses = [
  "SUBMITTING",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "DISBURSEMENT_FAILED",
  "PAID",
  "CANCELLED",
  "REJECTED"
]
