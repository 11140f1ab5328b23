import { Refusal } from "../input/Refusal.ts"
import { type ProposalId, type QuoteId } from "../values/ids.ts"

/** A callback of a lender, as received. Its content is untrusted. */
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
   * Replaces the `lender_state` of the quote, under the same limits. Use it only for data that no call returns, and
   * only if the callback is signed over its content. No personal data. Default: the state is unchanged.
   */
  readonly lender_state?: string
}

/** The quote or contract of a callback. Its job runs at once. */
export type CallbackTarget =
  | ({ readonly kind: "quote"; readonly quote_id: QuoteId } & CallbackState)
  /** The `callback_key` of the lender's PENDING answer. */
  | ({ readonly kind: "quote"; readonly callback_key: string } & CallbackState)
  | { readonly kind: "contract"; readonly proposal_id: ProposalId }
  /** The lender's reference of the contract. */
  | { readonly kind: "contract"; readonly reference: string }

/** The callback does not come from the lender: its signature or secret is wrong, or it is too old. */
export class CallbackRefused extends Refusal("CallbackRefused", "The callback does not come from the lender.")<{
  /** The cause, for the log. It must not contain personal data. */
  readonly detail: string
}> {}
