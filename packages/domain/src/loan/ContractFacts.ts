import { type Centavos } from "../values/Centavos.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type DocumentNumber } from "../values/DocumentNumber.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The seller of a contract: the partner, and the user or API client that accepted the offer. */
export interface SubmissionOrigin {
  readonly partner: { readonly partner_id: PartnerId; readonly document_number: DocumentNumber }
  readonly agent: {
    /** The user id, the `client_id`, or `host:` and the id of a user of the host application. */
    readonly id: string
    /** The name of a user; null for any other caller. */
    readonly name: string | null
    /** The CPF of a user; null if it has none, and for any other caller. */
    readonly cpf: Cpf | null
  }
}

/** The payment of a contract to the customer. */
export interface ContractPayment {
  readonly amount: Centavos
  readonly at: Timestamp
  /** The end-to-end id of the PIX or TED payment; null if unknown. */
  readonly end_to_end_id: string | null
}

/** The PIX payment with which the customer pays back a contract. */
export interface ContractRefund {
  readonly amount: Centavos
  /** The PIX code that the customer copies into the app of their bank. */
  readonly pix_copy_paste: string
  readonly expires_at: Timestamp
}

/** An action that the lender requires before it continues with the contract. */
export interface RequiredAction {
  readonly code: string
  readonly url: string | null
  /** The paths of KYC fields, for example `address.zipcode`. */
  readonly fields: ReadonlyArray<string>
}

/** The reasons that a caller can give for the cancellation of an application. */
export const cancellationReasons = ["CUSTOMER_REQUEST", "DUPLICATE", "DATA_ERROR", "OTHER"] as const
/** A reason that a caller can give for the cancellation of an application. */
export type CancellationReason = typeof cancellationReasons[number]

/** The reasons that a customer can give for the withdrawal from a paid contract. */
export const withdrawalReasons = ["CUSTOMER_REQUEST", "OTHER"] as const
/** A reason that a customer can give for the withdrawal from a paid contract. */
export type WithdrawalReason = typeof withdrawalReasons[number]

/** The amounts of a contract to which a commission rate can apply. */
export const commissionBases = ["GROSS", "PRINCIPAL", "NET"] as const
/** An amount of a contract: the sum of its instalments, its principal, or the amount paid to the customer. */
export type CommissionBasis = typeof commissionBases[number]

/** The commission of a contract, frozen when its offer was accepted. */
export interface FrozenCommission {
  readonly basis: CommissionBasis
  /** The code of the lender; null if it is unknown. */
  readonly lender: string | null
  /** The code of the lender's fee table. */
  readonly table: string
  /**
   * From the root to the seller. `share` is in millionths. For the root, it applies to the basis amount; for any other
   * partner, to the commission of the partner above.
   */
  readonly chain: ReadonlyArray<{ readonly partner_id: PartnerId; readonly share: number }>
}
