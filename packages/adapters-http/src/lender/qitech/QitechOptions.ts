import { type LenderThrottleLimits } from "@lastro/domain/lender"
import { type FgtsPolicy, type LoanFee } from "@lastro/domain/offer"
import { type Percent } from "@lastro/domain/values"
import { type Duration, type Redacted } from "effect"
import { type Resolve } from "../lenderTransport.ts"
import { type QitechInbox } from "./QitechInbox.ts"

/** A fee table, as agreed with QI Tech. */
export interface QitechTable {
  readonly code: string
  readonly label: string
  readonly monthly_rate: Percent
  /** The fee (TAC), sent to QI Tech as a rebate. */
  readonly fee: LoanFee
}

/** The fine and the interest for late payment, as fractions. */
export interface QitechFine {
  readonly contract_fine_rate: number
  readonly monthly_rate: number
}

/** Options of {@link layerQitechLender}. */
export interface QitechLenderOptions {
  /**
   * The base URL: `https://api-auth.qitech.app`, or `https://api-auth.sandbox.qitech.app`. Only the operator may set
   * it.
   */
  readonly url: string
  /** The API client key that QI Tech issued. */
  readonly apiKey: Redacted.Redacted
  /** The private key whose public key is registered with QI Tech: EC P-521, PEM. */
  readonly privateKey: Redacted.Redacted
  /** The public key of QI Tech: EC P-521, PEM. It verifies callbacks. */
  readonly publicKey: string
  /** The fee tables. Every quote simulates each of them. */
  readonly tables: ReadonlyArray<QitechTable>
  /** Timeout of a call. Default: 25 s, less than the domain's maximum time of a run. */
  readonly timeout?: Duration.Input | undefined
  /**
   * Limits for the calls of all nodes together. Default: 1 per second, and 4 at the same time, because QI Tech
   * publishes no limits. They count requests of the domain, each of which can make several calls: a quote makes one per
   * table, and a submission makes one per document and two more.
   */
  readonly throttle?: LenderThrottleLimits | undefined
  /** Maximum age of a callback. Default: 30 minutes, because QI Tech repeats a callback for 15 minutes. */
  readonly callbackMaxAge?: Duration.Input | undefined
  /** The path that QI Tech signs in callbacks. Set it if a proxy changes the path. Default: the path of the request. */
  readonly callbackPath?: string | undefined
  /** The payment method that QI Tech uses for bank accounts. Default: `pix`. */
  readonly bankTransfer?: "pix" | "ted" | undefined
  /** True if QI Tech has enabled refunds (`POST /debt/reversal`). Default: true. */
  readonly refunds?: boolean | undefined
  /** The fine and the interest for late payment. Default: a fine of 2 %, and interest of 1 % a month. */
  readonly fine?: QitechFine | undefined
  /** Stores the reasons of cancellations and the times of calls. Default: the memory of this process. */
  readonly inbox?: QitechInbox | undefined
  /** Allows an address in a private network or on this machine. Default: false. */
  readonly allowPrivateNetwork?: boolean | undefined
  /** Resolves host names. Default: the resolver of the system. */
  readonly resolve?: Resolve | undefined
}

/** The terms of a table that a submission needs. They are stored in the `lender_ref` of the offer. */
export type QitechTerms = Pick<QitechTable, "monthly_rate" | "fee">

/** The policy fields that select instalments. */
export type InstallmentPolicy = Pick<
  FgtsPolicy,
  "max_installments" | "min_installment" | "max_installment" | "next_only"
>
