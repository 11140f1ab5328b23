import { Data } from "effect"
import { Refusal } from "../input/Refusal.ts"

/**
 * The lender gave no usable answer. If the reason is ASKED, the lender may have acted on the call. For any other
 * reason, neither the call nor any earlier step of it had an effect.
 */
export class LenderUnavailable extends Refusal("LenderUnavailable", "The lender gave no usable answer.", ["reason"])<{
  /**
   * - ASKED: the call failed, or its answer breaks the protocol.
   * - UNREACHED: no connection to the lender was made, for example because it was refused.
   * - WITHHELD: the call was not made, for example because the circuit breaker is open, or because a document of the
   *   customer cannot be read now.
   * - THROTTLED: the lender refused the call because there were too many calls. This is not an outage, and does not
   *   count as an attempt.
   * - FORBIDDEN: the lender refuses our credentials. An operator must act.
   */
  readonly reason: "ASKED" | "UNREACHED" | "WITHHELD" | "THROTTLED" | "FORBIDDEN"
  /** The cause, for the log. It must not contain personal data. */
  readonly detail: string
  /** The delay before the next call that the lender or the circuit breaker requires, in milliseconds. */
  readonly retry_after_ms?: number
  /**
   * Only if the circuit breaker withheld the call. True if an earlier call of the same job failed and helped to open the
   * circuit breaker: then this call counts as an attempt of the job. False if only calls of other jobs failed
   * (LENDER-25). Absent for any other failure.
   */
  readonly is_cause?: boolean
}> {}

/** A field that the lender refuses. */
export interface InvalidField {
  /** The path of the field in the KYC, for example `address.zipcode`. */
  readonly field: string
  /** The lender's code of the problem, for the log. */
  readonly code: string
}

/**
 * The lender refuses the data of a submission, and has created no contract. The same proposal can be submitted again
 * with corrected data.
 */
export class SubmissionInvalid extends Data.TaggedError("SubmissionInvalid")<{
  /** The refused fields. Empty if the lender names none. */
  readonly fields: ReadonlyArray<InvalidField>
  /** The lender's message for people; null if there is none. It must not contain personal data. */
  readonly message: string | null
}> {}

/**
 * The lender refuses a cancellation, a refund or a new signature link of this contract for good. The contract is
 * unchanged. For a temporary refusal, for example because of the current status, use {@link LenderUnavailable}.
 */
export class ExitRefused
  extends Refusal("ExitRefused", "The lender refuses this cancellation, refund or new signature link.")<{
    /** The cause, for the log. It must not contain personal data. */
    readonly detail: string
  }>
{}

/** The lender does not support this operation. */
export class LenderUnsupported extends Refusal("LenderUnsupported", "The lender does not offer this operation.") {}
