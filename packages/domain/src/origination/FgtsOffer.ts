import { Schema } from "effect"
import { field } from "../input/field.ts"
import { type Application } from "../loan/Application.ts"
import { OfferStatus, offerStatus } from "../loan/OfferStatus.ts"
import { lenderOfOffer, missingForOffer } from "../loan/quoteParts.ts"
import { feeKindOf, feeKinds, type FeeTable, type Offer } from "../offer/Offer.ts"
import { type PricedInstallment } from "../offer/PricedOffer.ts"
import { type Quote } from "../offer/Quote.ts"
import { Amount, Rate } from "../values/Amount.ts"
import { reaisOf } from "../values/Centavos.ts"
import { OfferId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** An instalment of the loan: an annual withdrawal that the customer receives in advance. */
export const FgtsInstallment = Schema.Struct({
  number: field(Schema.Int, "Installment number, from 1", 1),
  due_date: field(
    Schema.String.annotate({ format: "date" }),
    "Due date of the annual withdrawal, YYYY-MM-DD",
    "2026-05-01"
  ),
  amount: field(Amount, "Installment amount in reais", 500),
  principal_amount: field(Amount, "Part of the installment that repays principal, in reais", 478.3),
  interest_amount: field(Amount, "Part of the installment that pays interest, in reais", 21.7),
  calendar_days: field(Schema.Int, "Calendar days from release to due date", 90)
}).annotate({ identifier: "FgtsInstallment", description: "An anticipated annual withdrawal" })
export type FgtsInstallment = typeof FgtsInstallment.Type

export const FgtsTable = Schema.Struct({
  code: field(Schema.String, "Code of the table, for programs", "light"),
  label: field(Schema.String, "Name of the table, for people", "Tabela Light")
}).annotate({ description: "The lender's table of rates and fees" })

/** Converts a table to its form in responses, without the kind of its fee. */
export const fgtsTable = ({ code, label }: FeeTable): typeof FgtsTable.Type => ({ code, label })

const LenderNameView = Schema.Struct({
  code: field(Schema.String, "Code of the lender, for programs", "sandbox"),
  label: field(Schema.String, "Name of the lender, for people", "Sandbox")
}).annotate({ identifier: "FgtsLender", description: "A lender" })

export const NullableLender = field(
  Schema.NullOr(LenderNameView),
  "The lender; null if a version before this field stored the quote"
)

const FgtsOfferTable = Schema.Struct({
  ...FgtsTable.fields,
  fee_kind: field(
    Schema.Literals(feeKinds),
    "Kind of the fee. `NONE`: no fee. `REGISTRATION`: fee for the start of the relationship with the customer. `OTHER`: any other fee",
    "OTHER"
  )
}).annotate({ description: "The lender's table of rates and fees, and the kind of the fee in this offer" })

/** An offer of the lender, priced with one fee table. */
export const FgtsOffer = Schema.Struct({
  offer_id: OfferId,
  status: field(OfferStatus, "Offer status", "AVAILABLE"),
  lender: NullableLender,
  table: FgtsOfferTable,
  gross_amount: field(Amount, "Sum of the installments, in reais", 500),
  principal_amount: field(Amount, "Principal in reais: the present value of the installments", 478.3),
  iof_daily_amount: field(Amount, "Daily part of the IOF tax, in reais", 3.53),
  iof_additional_amount: field(Amount, "Additional part of the IOF tax, independent of the term, in reais", 1.82),
  iof_amount: field(Amount, "IOF tax in reais, deducted from the principal", 5.35),
  fee_amount: field(Amount, "Lender's fee in reais, deducted from the principal", 10),
  net_amount: field(Amount, "Amount paid to the customer, in reais", 462.95),
  monthly_rate: field(Rate, "Interest rate in percent per month", 1.49),
  annual_rate: field(Rate, "Interest rate in percent per year", 19.42054),
  monthly_cet: field(Rate, "Total effective cost (CET) in percent per month, two decimals", 2.64),
  annual_cet: field(Rate, "Total effective cost (CET) in percent per year, two decimals", 36.65),
  installments: field(Schema.Array(FgtsInstallment), "The anticipated annual withdrawals by due date"),
  policy: field(Schema.String, "Version of the policy applied", "CCFGTS-1130/2025-1"),
  expires_at: field(Timestamp, "The offer cannot be accepted from this time on", "2026-02-01T12:00:00.000Z"),
  missing_fields: field(
    Schema.Array(Schema.String),
    "KYC fields that must still be submitted before this offer can be accepted. Empty for an offer that is not available",
    ["address.zipcode"]
  )
}).annotate({ identifier: "FgtsOffer", description: "An offer of the lender, priced with one of its tables" })
export type FgtsOffer = typeof FgtsOffer.Type

/** Converts an instalment to its form in responses. */
export const fgtsInstallment = (installment: PricedInstallment): FgtsInstallment => ({
  number: installment.number,
  due_date: installment.due_date,
  amount: reaisOf(installment.amount),
  principal_amount: reaisOf(installment.principal_amount),
  interest_amount: reaisOf(installment.interest_amount),
  calendar_days: installment.calendar_days
})

/** Converts an offer to its form in responses, with its status at a time. */
export const fgtsOffer = (application: Application, quote: Quote, offer: Offer, at: Timestamp): FgtsOffer => {
  const { terms } = offer
  const status = offerStatus(application, quote, offer, at)
  return {
    offer_id: offer.offer_id,
    status,
    lender: lenderOfOffer(quote, offer),
    table: { ...fgtsTable(offer.table), fee_kind: feeKindOf(offer) },
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
    expires_at: offer.expires_at,
    missing_fields: status === "AVAILABLE" ? missingForOffer(application, quote, offer) : []
  }
}
