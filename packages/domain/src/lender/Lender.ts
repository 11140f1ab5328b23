import { Context, Effect } from "effect"
import { type Customer } from "../kyc/KycValues.ts"
import {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderExits,
  type LenderRefund,
  noExits
} from "../loan/LenderContract.ts"
import { type FgtsPolicy } from "../offer/FgtsPolicy.ts"
import { type FinalQuotation, type QuoteWish } from "../offer/Quote.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type ApplicationId, type PartnerId, type QuoteId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type LenderOperation } from "./callMetrics.ts"
import { CallbackRefused, type CallbackTarget, type LenderCallback } from "./LenderCallback.ts"
import {
  type ExitRefused,
  type LenderUnavailable,
  LenderUnsupported,
  type SubmissionInvalid
} from "./LenderFailures.ts"
import { type LenderRequirements } from "./LenderRequirements.ts"

/** A quote request to the lender. */
export interface LenderQuoteRequest {
  readonly application_id: ApplicationId
  /** The partner that sells the loan. */
  readonly partner_id: PartnerId
  readonly quote_id: QuoteId
  /** The number of the quote within its application. */
  readonly number: number
  /** Number of this attempt, starting at 1. A throttled attempt and a PENDING answer are not counted. */
  readonly attempt: number
  readonly requested_at: Timestamp
  readonly customer: Customer
  /** The release day in America/Sao_Paulo: the day on which the money would be paid to the customer. */
  readonly released_on: CalendarDate
  /** The policy of the release day. */
  readonly policy: FgtsPolicy
  readonly wish: QuoteWish
  /**
   * The `lender_state` of the lender's last PENDING answer to this quote, or of a later callback ({@link
   * CallbackTarget}). Null before the first PENDING answer.
   */
  readonly lender_state: string | null
}

/**
 * The lender's answer to a quote. PRICED: an offer or a rejection for each fee table. REFUSED: one rejection of the
 * whole quote. PENDING: the lender accepted the request, and answers later.
 */
export type LenderQuotation = FinalQuotation | LenderPending

/** The lender accepted a quote request, and answers later. */
export interface LenderPending {
  readonly kind: "PENDING"
  /**
   * A text for the adapter of the lender, at most 8 192 characters, without personal data. Lastro does not interpret
   * it. It is stored until the quote ends, and sent back with each further request of the quote.
   */
  readonly lender_state: string
  /** The time of the next request for this quote. A callback of the lender makes the request earlier. */
  readonly look_at: Timestamp
  /**
   * The key by which a callback names this quote ({@link CallbackTarget}), at most 128 characters. Absent or null if
   * the lender calls back with the id of the quote, or never.
   */
  readonly callback_key?: string | null
}

/**
 * The port to the lender, which in turn calls CAIXA. It is never called inside a database transaction. A business
 * rejection is a successful result. {@link LenderUnavailable} means that there is no answer. The domain ends every call
 * after 30 seconds, keeps the limits of the throttle, and validates each offer. An adapter does none of these.
 */
export class Lender extends Context.Service<Lender, {
  /** The requirements of this lender. They are constant. */
  readonly requirements: LenderRequirements
  /**
   * Returns the failure with which the adapter's circuit breaker would withhold a call now. Null if the call would be
   * made. Makes no call. The domain reads it before a call takes a place in the throttle. An adapter without a circuit
   * breaker omits this method.
   */
  readonly withheld?: (operation: LenderOperation) => Effect.Effect<LenderUnavailable | null>
  /** Requests a quote for all fee tables. A fee table without an offer does not affect the others. */
  readonly quote: (request: LenderQuoteRequest) => Effect.Effect<LenderQuotation, LenderUnavailable>
  /**
   * Creates the contract. Idempotent by `proposal_id`. {@link SubmissionInvalid} means that the lender refuses the data
   * and has created no contract: the same proposal can be submitted again with corrected data.
   */
  readonly submit: (
    submission: ContractSubmission
  ) => Effect.Effect<LenderContract, LenderUnavailable | SubmissionInvalid>
  /** Returns the current state of the contract. */
  readonly contract: (reference: string) => Effect.Effect<LenderContract, LenderUnavailable>
  /** Retries the payment with new disbursement data. Idempotent by `proposal_id` and `disbursement_attempt`. */
  readonly resubmit: (resubmission: DisbursementResubmission) => Effect.Effect<LenderContract, LenderUnavailable>
  /**
   * Returns the requests that this lender supports: cancellation, refund, new signature link. Makes one call if
   * `knownExits` returns null, and otherwise none.
   */
  readonly exits: Effect.Effect<LenderExits, LenderUnavailable>
  /**
   * Returns the same as `exits` if the adapter knows it without a call to the lender, and null otherwise. After null,
   * Lastro calls `exits`, within the limits of the throttle. It never returns null after `exits` has succeeded. An
   * adapter whose `exits` never calls the lender omits this method.
   */
  readonly knownExits?: Effect.Effect<LenderExits | null>
  /**
   * Cancels the contract of a proposal, if the lender has one, and returns its state. Idempotent by `proposal_id`. The
   * state is CANCELLED, PAID if the payment was faster, or the current status if the lender decides later. Null means
   * that the lender has no contract for this proposal and will create none.
   */
  readonly cancel: (
    cancellation: LenderCancellation
  ) => Effect.Effect<LenderContract | null, LenderUnavailable | LenderUnsupported | ExitRefused>
  /**
   * Requests the refund of a paid contract, and returns its state with `refund`. Idempotent by `proposal_id` and
   * `requested_at`. The status is REFUND_PENDING until the customer has paid the money back, and then REFUNDED. If the
   * customer does not pay in time, the status is PAID again.
   */
  readonly refund: (
    request: LenderRefund
  ) => Effect.Effect<LenderContract, LenderUnavailable | LenderUnsupported | ExitRefused>
  /** Creates a new signature link for a contract that is AWAITING_SIGNATURE, and returns its state. */
  readonly signatureLink: (
    reference: string
  ) => Effect.Effect<LenderContract, LenderUnavailable | LenderUnsupported | ExitRefused>
  /**
   * Authenticates a callback and returns its quotes and contracts. Their jobs then run at once. It reads only the
   * callback itself, so that it returns without delay. For a callback of an unknown type, it returns an empty list. A
   * returned quote can contain its next `lender_state`.
   */
  readonly callback: (callback: LenderCallback) => Effect.Effect<ReadonlyArray<CallbackTarget>, CallbackRefused>
}>()("@lastro/domain/lender/Lender") {}

const unsupported = () => Effect.fail(new LenderUnsupported())

/**
 * The methods of an adapter whose lender supports no cancellation, no refund, no new signature links and no callbacks.
 * Spread them into the adapter.
 */
export const withoutExits = {
  exits: Effect.succeed(noExits),
  cancel: unsupported,
  refund: unsupported,
  signatureLink: unsupported,
  callback: () => Effect.fail(new CallbackRefused({ detail: "this lender makes no callbacks" }))
}
