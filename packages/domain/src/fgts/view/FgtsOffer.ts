import { Schema } from "effect"
import { OfferId } from "../../id/OfferId.ts"
import { Amount, Rate } from "../../money/Amount.ts"
import { reaisOf } from "../../money/Centavos.ts"
import { Timestamp } from "../../time/Timestamp.ts"
import { type Application } from "../application/Application.ts"
import { OfferStatus, offerStatus } from "../application/OfferStatus.ts"
import { type PricedInstallment } from "../pricing/PricedOffer.ts"
import { type Offer } from "../quote/Offer.ts"
import { type Quote } from "../quote/Quote.ts"

/** An annual withdrawal that is anticipated. */
export const FgtsInstallment = Schema.Struct({
  number: Schema.Int,
  due_date: Schema.String.annotate({ format: "date" }),
  amount: Amount,
  principal_amount: Amount,
  interest_amount: Amount,
  /** From the release to the due date. */
  calendar_days: Schema.Int
}).annotate({ identifier: "FgtsInstallment" })
export type FgtsInstallment = typeof FgtsInstallment.Type

/** The lender's table of rates and fees. */
export const FgtsTable = Schema.Struct({ code: Schema.String, label: Schema.String })

/** What the lender offers by one of its tables. */
export const FgtsOffer = Schema.Struct({
  offer_id: OfferId,
  status: OfferStatus,
  table: FgtsTable,
  /** The sum of the instalments. */
  gross_amount: Amount,
  /** What is lent: the present value of the instalments. */
  principal_amount: Amount,
  iof_daily_amount: Amount,
  iof_additional_amount: Amount,
  iof_amount: Amount,
  fee_amount: Amount,
  /** What the customer receives. */
  net_amount: Amount,
  monthly_rate: Rate,
  annual_rate: Rate,
  monthly_cet: Rate,
  annual_cet: Rate,
  installments: Schema.Array(FgtsInstallment),
  /** The version of the rule table that was applied. */
  policy: Schema.String,
  expires_at: Timestamp
}).annotate({ identifier: "FgtsOffer" })
export type FgtsOffer = typeof FgtsOffer.Type

/** An instalment as answers show it. */
export const fgtsInstallment = (installment: PricedInstallment): FgtsInstallment => ({
  number: installment.number,
  due_date: installment.due_date,
  amount: reaisOf(installment.amount),
  principal_amount: reaisOf(installment.principal_amount),
  interest_amount: reaisOf(installment.interest_amount),
  calendar_days: installment.calendar_days
})

/** An offer as answers show it at a time. */
export const fgtsOffer = (application: Application, quote: Quote, offer: Offer, at: Timestamp): FgtsOffer => {
  const { terms } = offer
  return {
    offer_id: offer.offer_id,
    status: offerStatus(application, quote, offer, at),
    table: offer.table,
    gross_amount: reaisOf(terms.gross_amount),
    principal_amount: reaisOf(terms.principal_amount),
    iof_daily_amount: reaisOf(terms.iof_daily_amount),
    iof_additional_amount: reaisOf(terms.iof_additional_amount),
    iof_amount: reaisOf(terms.iof_amount),
    fee_amount: reaisOf(terms.fee_amount),
    net_amount: reaisOf(terms.net_amount),
    monthly_rate: terms.monthly_rate,
    annual_rate: terms.annual_rate,
    monthly_cet: terms.monthly_cet,
    annual_cet: terms.annual_cet,
    installments: terms.installments.map(fgtsInstallment),
    policy: offer.policy,
    expires_at: offer.expires_at
  }
}
