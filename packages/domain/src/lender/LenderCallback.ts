import { Refusal } from "../input/Refusal.ts"
import { type ProposalId, type QuoteId } from "../values/ids.ts"

/** A callback of a lender, as it was received. Nothing in it is trusted. */
export interface LenderCallback {
  readonly method: string
  /** The path and query of the request. */
  readonly path: string
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The unchanged bytes of the body. The lender's signature covers exactly these bytes. */
  readonly body: Uint8Array
}

/** The data of a callback about a quote. */
export interface CallbackState {
  /**
   * Replaces the `lender_state` of the quote, under the same limits. Use it only for data that no call of the lender
   * returns, and only if the callback is authenticated by a signature over its content. It must not contain personal
   * data. Default: the state stays as it is.
   */
  readonly lender_state?: string
}

/** The quote or the contract that a callback is about. Its job runs at once. */
export type CallbackTarget =
  | ({ readonly kind: "quote"; readonly quote_id: QuoteId } & CallbackState)
  /** The `callback_key` of the lender's PENDING answer. */
  | ({ readonly kind: "quote"; readonly callback_key: string } & CallbackState)
  | { readonly kind: "contract"; readonly proposal_id: ProposalId }
  /** The lender's reference of the contract. */
  | { readonly kind: "contract"; readonly reference: string }

/** The callback does not come from the lender: its signature or its secret is wrong, or it is too old. */
export class CallbackRefused extends Refusal("CallbackRefused", "The callback does not come from the lender.")<{
  /** The cause, for the log. It must not contain personal data. */
  readonly detail: string
}> {}
