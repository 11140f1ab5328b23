import { type Customer, type KycValues } from "@lastro/domain/kyc"
import { type CallbackTarget, type LenderCallback, type LenderUnavailable } from "@lastro/domain/lender"
import { type LenderContract, type LenderExits } from "@lastro/domain/loan"
import { type RejectionCode } from "@lastro/domain/offer"
import { type ProposalId } from "@lastro/domain/values"
import { type Effect } from "effect"

/** The contract that a case polls, and its proposal. */
export interface FollowedContract {
  readonly proposal_id: ProposalId
  /** The last state that the lender returned. */
  readonly contract: LenderContract
}

/**
 * A step of a lender, in which the lender can send callbacks. The step returns the targets that the adapter has read
 * from the callbacks. The case sends the `lender_state` of a target with the next request of the quote.
 */
export type LenderStep<R = never> = (
  followed: FollowedContract | null
) => Effect.Effect<ReadonlyArray<CallbackTarget> | void, never, R>

/**
 * A customer for whom the lender has one outcome. The fixture can use the services `R` of the layer, for example a
 * simulator of the lender.
 */
export interface LenderFixture<R = never> {
  /** Overrides fields of the example customer. A CPF here also replaces the CPF in the KYC. */
  readonly customer?: Partial<Customer>
  /** Overrides fields of the example KYC. */
  readonly kyc?: Partial<KycValues>
  /** Prepares the lender before the first call of a case. */
  readonly prepare?: Effect.Effect<void, never, R>
  /**
   * Lets the lender take its next step between two calls of a case. Examples: the balance arrives, the customer signs,
   * the payment is made. `followed` is null before the submission. Default: `advance` of {@link LenderFixtures}.
   */
  readonly advance?: LenderStep<R>
}

/** A customer whose submission the lender refuses as INVALID. */
export interface InvalidFixture<R = never> extends LenderFixture<R> {
  /** The KYC with which the lender accepts the same proposal. */
  readonly corrected: Partial<KycValues>
  /** The refused fields that the lender names; empty if it names none. */
  readonly fields: ReadonlyArray<string>
}

/** A customer whose first payment fails. */
export interface PaymentFixture<R = never> extends LenderFixture<R> {
  /** Lets the second payment fail, too, so that a third one can be requested. Omit it if a test cannot cause this. */
  readonly fail_again?: (followed: FollowedContract) => Effect.Effect<void, never, R>
}

/** A customer whose first quote request the lender throttles. */
export interface ThrottledFixture<R = never> extends LenderFixture<R> {
  /** The delay that the lender states, in milliseconds. Omit it if it is unknown. */
  readonly retry_after_ms?: number
}

/** A failure of the lender: an unusable response, or none. */
export interface LenderFailure<R = never> {
  /** The name of the failure, for example `status 500`. */
  readonly name: string
  /** The reason that the adapter must return. Default: ASKED. */
  readonly reason?: LenderUnavailable["reason"]
  /** Lets the next call to the lender fail. */
  readonly inject: Effect.Effect<void, never, R>
}

/** A customer of a lender whose calls fail. */
export interface FailingFixture<R = never> extends LenderFixture<R> {
  /**
   * The failures. Include at least a status 5xx, a body that is not JSON, and an unknown contract status, if the lender
   * can respond with them.
   */
  readonly failures: ReadonlyArray<LenderFailure<R>>
}

/** A customer of a lender that refuses the next call. */
export interface RefusalFixture<R = never> extends LenderFixture<R> {
  /** Lets the lender refuse the next call. */
  readonly refuse: Effect.Effect<void, never, R>
}

/** A customer for whose contract the lender refuses a cancellation, a refund or a new signature link for good. */
export interface ExitRefusalFixture<R = never> extends RefusalFixture<R> {
  /** The requests that the lender can refuse. */
  readonly exits: ReadonlyArray<keyof LenderExits>
}

/** Callbacks of a lender. */
export interface CallbackFixture<R = never> {
  /** Prepares the lender before the first callback of a case. */
  readonly prepare?: Effect.Effect<void, never, R>
  /** An authentic callback. */
  readonly authentic: Effect.Effect<LenderCallback, never, R>
  /** The quotes or contracts that the authentic callback names. */
  readonly targets: ReadonlyArray<CallbackTarget>
  /** An authentic callback of a type that the adapter does not know. */
  readonly unknown: Effect.Effect<LenderCallback, never, R>
  /** Callbacks that do not come from the lender, or are too old. */
  readonly forged: Effect.Effect<ReadonlyArray<LenderCallback>, never, R>
}

/** The declaration of {@link impossible}. */
export interface Impossible {
  readonly impossible: string
}

/** Declares that a lender cannot have an outcome. The reason becomes part of the name of the case. */
export const impossible = (reason: string): Impossible => ({ impossible: reason })

/** The codes with which a lender can reject a quote. */
export const quoteRefusals = [
  "NO_AUTHORIZATION",
  "NOT_OPTED_IN",
  "OPT_OUT_IN_PROGRESS",
  "BIRTH_DATE_MISMATCH",
  "OPT_IN_WAITING_PERIOD",
  "BIRTHDAY_WINDOW",
  "OPERATION_IN_PROGRESS",
  "ACCOUNT_CHANGES_PENDING",
  "EXISTING_CONTRACT",
  "NO_FGTS_ACCOUNT",
  "NO_BALANCE",
  "BELOW_MINIMUM_INSTALLMENT",
  "BELOW_MINIMUM_AMOUNT",
  "FEES_EXCEED_PRINCIPAL",
  "LENDER_POLICY",
  "FRAUD_SUSPECTED"
] as const satisfies ReadonlyArray<RejectionCode>

/** A code with which a lender can reject a quote. */
export type QuoteRefusal = typeof quoteRefusals[number]

/** A fixture for each outcome of a lender, or `impossible(reason)`. `sandboxLenderFixtures` is an example. */
export interface LenderFixtures<R = never> {
  /** The usual step of the lender. See {@link LenderFixture}. */
  readonly advance: LenderStep<R>
  /** Overrides fields of the example customer, such as the CPF. A fixture can override them again. */
  readonly customer?: Partial<Customer>
  /** Overrides fields of the example KYC. A fixture can override them again. */
  readonly kyc?: Partial<KycValues>
  /**
   * Every fee table has an offer. One fee table is enough. The balance allows three instalments, of which the legal
   * maximum limits the first.
   */
  readonly priced: LenderFixture<R>
  /** Some fee tables have an offer. */
  readonly partially_priced: LenderFixture<R> | Impossible
  /** For each rejection code, a customer whose quote the lender rejects with this code for all fee tables. */
  readonly refused: { readonly [Code in QuoteRefusal]: LenderFixture<R> | Impossible }
  /** The quote is PENDING first, and PRICED later. */
  readonly pending: LenderFixture<R> | Impossible
  /** The lender does not answer the quote. */
  readonly unavailable: LenderFixture<R>
  /** The lender throttles the first request for the quote, and answers PRICED later. */
  readonly throttled: ThrottledFixture<R> | Impossible
  /** Calls about quotes and contracts can fail. */
  readonly failing: FailingFixture<R> | Impossible
  /** The lender refuses the data of the submission. */
  readonly invalid: InvalidFixture<R> | Impossible
  /** The contract is IN_ANALYSIS after its submission, and becomes PAID later. */
  readonly in_analysis: LenderFixture<R> | Impossible
  /** The contract becomes PAID. */
  readonly paid: LenderFixture<R>
  /** The contract becomes REJECTED. */
  readonly rejected: LenderFixture<R> | Impossible
  /** The contract becomes CANCELLED, because the customer does not sign it in time. */
  readonly signature_expired: LenderFixture<R> | Impossible
  /** The first payment fails, and the second succeeds. */
  readonly payment_failed: PaymentFixture<R> | Impossible
  /** The first payment fails. `refuse` lets the lender refuse the destination of the next payment. */
  readonly destination_refused: RefusalFixture<R> | Impossible
  /** The contract is repaid in full after its payment: it becomes SETTLED. */
  readonly settled: LenderFixture<R> | Impossible
  /** The lender reverses the contract after its payment: REFUNDED, or CANCELLED in version 1 of the HTTP protocol. */
  readonly reversed: LenderFixture<R> | Impossible
  /** The contract is cancelled before its payment. */
  readonly cancelled: LenderFixture<R> | Impossible
  /**
   * The contract is cancelled, although the answer to its submission was lost: the lender finds it by its
   * `proposal_id`.
   */
  readonly cancelled_by_proposal: LenderFixture<R> | Impossible
  /** A proposal is cancelled before its submission. The lender then creates no contract for it. */
  readonly cancelled_before_submission: LenderFixture<R> | Impossible
  /** `refuse` lets the lender refuse a cancellation, a refund or a new signature link for good. */
  readonly exit_refused: ExitRefusalFixture<R> | Impossible
  /** The contract is paid before its cancellation. */
  readonly paid_before_cancellation: LenderFixture<R> | Impossible
  /** The customer withdraws from a paid contract, and pays the money back. */
  readonly refunded: LenderFixture<R> | Impossible
  /** The customer withdraws from a paid contract, but does not pay the money back in time. */
  readonly refund_expired: LenderFixture<R> | Impossible
  /** A contract that is AWAITING_SIGNATURE gets a new signature link. */
  readonly signature_link: LenderFixture<R> | Impossible
  readonly callback: CallbackFixture<R> | Impossible
}
